/** Two conversations side by side: which words of a turn are in both, and where one looks from there. Pure. */
import type { Alike, ComparedTurn, Overlap } from "../api";
import { oneOf, shortText } from "../search";
import { cut, type Span } from "./marks";

export type Side = "mine" | "theirs";

export const PAGE = 60;
export const REASONS = ["near_duplicate", "example_copy"] as const;

export interface AlikeSearch {
  /** Which of the hits; the first without it. */
  reason?: (typeof REASONS)[number] | undefined;
  /** Numbers of the first turns shown, from 0. */
  mine?: string | undefined;
  theirs?: string | undefined;
}

export function readAlikeSearch(raw: Record<string, unknown>): AlikeSearch {
  return {
    reason: oneOf(raw.reason, REASONS),
    mine: turnNumber(raw.mine),
    theirs: turnNumber(raw.theirs),
  };
}

function turnNumber(raw: unknown): string | undefined {
  const text = shortText(raw, 6);
  return text !== undefined && /^[1-9]\d*$/.test(text) ? text : undefined;
}

export interface Part {
  text: string;
  /** Numbers of the passages that the words belong to, from 1: several where one side says again what both have. */
  passages: number[];
  /** Whether one of them begins here. */
  opens: boolean;
  /** Whether the comparison left the words out. */
  isTemplate: boolean;
}

interface Marked extends Span {
  passage?: number;
}

export function partsOf(turn: ComparedTurn, overlaps: Overlap[], side: Side): Part[] {
  const spans: Marked[] = [
    ...overlaps.flatMap((overlap, at) =>
      placeOf(overlap, side).turn === turn.number
        ? [{ ...placeOf(overlap, side), passage: at + 1 }]
        : [],
    ),
    ...turn.template,
  ].filter(({ start, end }) => end > start);
  const opened = new Set<number>();
  return cut(turn.text, spans).map(({ text, inside }) => {
    const passages = inside.flatMap(({ passage }) => passage ?? []);
    const opens = passages.some((passage) => !opened.has(passage));
    for (const passage of passages) opened.add(passage);
    return { text, passages, opens, isTemplate: inside.length > passages.length };
  });
}

/** Turn and characters of a passage on one side. */
export function placeOf(overlap: Overlap, side: Side): Span & { turn: number } {
  return side === "mine"
    ? { turn: overlap.turn, start: overlap.start, end: overlap.end }
    : { turn: overlap.other_turn, start: overlap.other_start, end: overlap.other_end };
}

/** The page of turns that shows a passage, as the address has it: what is shown already stays. */
export function pageWith(of: Alike, overlap: Overlap): AlikeSearch {
  const first = (side: Side) => {
    const { turn } = placeOf(overlap, side);
    const shown = of[side].turns;
    if (shown.some(({ number }) => number === turn)) return shown[0]?.number ?? 0;
    return Math.floor(turn / PAGE) * PAGE;
  };
  return { mine: numbered(first("mine")), theirs: numbered(first("theirs")) };
}

export function numbered(turn: number): string | undefined {
  return turn > 0 ? String(turn) : undefined;
}
