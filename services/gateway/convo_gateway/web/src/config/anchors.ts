/** Which scores of a scale can be described. Pure. */
import type { Json } from "../catalog/json";

/** Longer scales have lines for their ends and their middle only. */
const MOST_LINES = 11;

/** The scores that get a line, highest first: those of the scale, and those that are described already. */
export function anchoredScores(scale: Json | undefined, described: readonly string[]): string[] {
  const [low, high] = Array.isArray(scale) ? scale : [1, 5];
  const scores = new Set(described.map(Number).filter(Number.isInteger));
  if (isWhole(low) && isWhole(high) && low < high) {
    const count = high - low + 1;
    const on =
      count <= MOST_LINES
        ? Array.from({ length: count }, (_, at) => low + at)
        : [low, Math.floor((low + high) / 2), high];
    for (const score of on) scores.add(score);
  }
  return [...scores].sort((one, other) => other - one).map(String);
}

function isWhole(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}
