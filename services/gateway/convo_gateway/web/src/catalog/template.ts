/** Where the variables and statements of a prompt template are, for the eye; the server says what they mean. Pure. */

export type PieceKind = "text" | "variable" | "statement" | "comment";

export interface Piece {
  text: string;
  kind: PieceKind;
}

const TAGS = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g;
const KINDS: Record<string, PieceKind> = { "{{": "variable", "{%": "statement", "{#": "comment" };

/** The lines of a template in pieces; all pieces of all lines together are the text. */
export function templateLines(text: string): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const piece of piecesOf(text)) {
    const [first = "", ...others] = piece.text.split("\n");
    lines.at(-1)?.push({ ...piece, text: first });
    for (const line of others) lines.push([{ ...piece, text: line }]);
  }
  return lines.map((line) => line.filter((piece) => piece.text !== ""));
}

function piecesOf(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const { 0: tag, index } of text.matchAll(TAGS)) {
    if (index > from) found.push({ text: text.slice(from, index), kind: "text" });
    found.push({ text: tag, kind: KINDS[tag.slice(0, 2)] ?? "text" });
    from = index + tag.length;
  }
  if (from < text.length) found.push({ text: text.slice(from), kind: "text" });
  return found;
}

export interface Variable {
  /** As it stands between the braces. */
  name: string;
  meaning: string;
}

export const VARIABLES: readonly Variable[] = [
  { name: "persona.name", meaning: "Name of the persona" },
  { name: "persona.summary", meaning: "Who they are" },
  { name: "persona.traits", meaning: "List of short facts" },
  { name: "persona.language", meaning: "Language they write in" },
  { name: "voice.name", meaning: "Name of the voice" },
  { name: "voice.style", meaning: "How they write" },
  { name: "turns", meaning: "Planned number of turns" },
  { name: "turn", meaning: "Turn being written, from 1" },
  { name: "language", meaning: "Language of the run config" },
  { name: "examples", meaning: "List of examples, each with name and turns" },
  { name: "visit", meaning: "Which conversation of this persona, from 1" },
  { name: "memory", meaning: "What is remembered of the earlier ones" },
  { name: "strength", meaning: "How strongly turns are roughened" },
];

/** The name that a pool has in templates: dashes and dots become underscores. */
export function poolVariable(pool: string): string {
  return pool.replaceAll(/[-.]/g, "_");
}
