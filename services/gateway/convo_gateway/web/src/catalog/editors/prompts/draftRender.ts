/** What a prompt set that is being written would send: the request, the answer, and what is wrong by line. Pure. */
import { isObject, type Json, partAt } from "../../json";
import { poolVariable } from "../../template";

export interface LineProblem {
  message: string;
  pointer: string;
  /** Of the segment, from 1. */
  line: number | null;
}

export interface Rendered {
  text?: string | null;
  problem?: { message: string; line: number | null } | null;
  sent: boolean;
}

export interface Rendering {
  segments: Record<string, Rendered>;
  pools: Record<string, string>;
  problems: LineProblem[];
}

/** What the prompts are shown with. */
export interface Cast {
  persona: string | undefined;
  voice: string | undefined;
  /** Values that were written by hand, by pool; the others are drawn. */
  values: Record<string, string>;
  mode: string | undefined;
  turns: number;
  turn: number;
  seed: number;
}

const SOMEBODY = { name: "somebody", summary: "Somebody with a question.", traits: ["curious"] };
const PLAIN = { name: "plain", style: "Short sentences." };
const MOST_POOLS = 50;

/** The pools whose variables stand in the segments, by name. */
export function poolsIn(draft: Json, pools: readonly string[]): string[] {
  const words = new Set(
    textsOf(draft)
      .join("\n")
      .match(/[A-Za-z_]\w*/g) ?? [],
  );
  return pools.filter((pool) => words.has(poolVariable(pool))).slice(0, MOST_POOLS);
}

function textsOf(draft: Json): string[] {
  const segments = partAt(draft, "/segments");
  return isObject(segments) ? Object.values(segments).map(String) : [];
}

/** The request; `drawn` are the values of the answer before. */
export function requestOf(
  draft: Json,
  cast: Cast,
  pools: readonly string[],
  drawn: Record<string, string>,
): { [key: string]: Json } {
  const byHand = pools.some((pool) => cast.values[pool]);
  const known = pools.every((pool) => cast.values[pool] || drawn[pool] !== undefined);
  return {
    prompt_set: wholeExamples(draft),
    persona: cast.persona ?? SOMEBODY,
    voice: cast.voice ?? PLAIN,
    pools:
      byHand && known
        ? Object.fromEntries(pools.map((pool) => [pool, cast.values[pool] || (drawn[pool] ?? "")]))
        : [...pools],
    turns: cast.turns,
    turn: Math.min(cast.turn, cast.turns),
    seed: cast.seed,
    ...(cast.mode === undefined ? {} : { mode: cast.mode }),
  };
}

/** The draft without examples that are not written yet, which no segment could be shown with. */
function wholeExamples(draft: Json): Json {
  if (!isObject(draft)) return {};
  const examples = Array.isArray(draft.examples) ? draft.examples : [];
  const name = typeof draft.name === "string" && draft.name !== "" ? draft.name : "draft";
  return { ...draft, name, examples: examples.filter(isWhole) };
}

function isWhole(example: Json): boolean {
  if (!isObject(example) || !/^[a-z0-9][a-z0-9._-]{0,99}$/.test(String(example.name))) return false;
  const { turns } = example;
  return Array.isArray(turns) && turns.length > 0 && turns.every((turn) => turn !== "");
}

/** What is wrong with a segment, by line. */
export function problemsOf(rendering: Rendering | undefined, segment: string): LineProblem[] {
  const pointer = `/segments/${segment}`;
  const found = (rendering?.problems ?? []).filter((problem) => problem.pointer === pointer);
  const problem = rendering?.segments[segment]?.problem;
  const also = problem && !found.some(({ line }) => line === problem.line);
  return [...found, ...(also ? [{ ...problem, pointer }] : [])].map((said) => ({
    ...said,
    message: said.message.replace(/^line \d+ of the segment: /, ""),
  }));
}
