/** Which share of the conversations gets which number of turns, as the plan draws it. Pure. */
import { isObject, type Json } from "../catalog/json";
import type { Mode } from "./body";
import { weightOf } from "./shares";

export interface LengthBar {
  turns: number;
  /** 0 to 1. */
  share: number;
}

const MOST_TURNS = 400;

/** Numbers of turns that a range offers: where speakers are called in turn, those that end with the assistant. */
export function offered(low: number, high: number, mode: Mode): number[] {
  const all = Array.from({ length: high - low + 1 }, (_, at) => low + at);
  if (mode === "scripted") return all;
  const even = all.filter((turns) => turns % 2 === 0);
  return even.length > 0 ? even : [Math.max(2, high + (high % 2))];
}

/** The bars of a mix by number of turns; rows that are not filled in yet count for nothing. */
export function distribution(mix: Json | undefined, mode: Mode): LengthBar[] {
  const rows = (Array.isArray(mix) ? mix : []).flatMap((row) => {
    const [low, high] = isObject(row) && Array.isArray(row.turns) ? row.turns : [];
    const share = weightOf(row, "share");
    return isTurns(low) && isTurns(high) && low <= high && share !== undefined
      ? [{ turns: offered(low, high, mode), share }]
      : [];
  });
  const whole = rows.reduce((sum, { share }) => sum + share, 0);
  const found = new Map<number, number>();
  for (const { turns, share } of rows) {
    for (const n of turns) found.set(n, (found.get(n) ?? 0) + share / whole / turns.length);
  }
  return [...found].map(([turns, share]) => ({ turns, share })).sort((a, b) => a.turns - b.turns);
}

function isTurns(value: Json | undefined): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_TURNS;
}

export function meanTurns(bars: readonly LengthBar[]): number {
  return bars.reduce((sum, { turns, share }) => sum + turns * share, 0);
}
