/** Which turns of a long conversation are in the page, and how high they may be. Pure. */

const LINE = 24;
const AROUND = 58;
const CHARACTERS_A_LINE = 80;

/** Pixels that a turn takes, until it is drawn and measured. */
export function guessedHeight(text: string): number {
  const lines = text
    .split("\n", 200)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS_A_LINE)), 0);
  return AROUND + LINE * lines;
}

/** Places that are seen and the others that have to stay, in order; a place below 0 is none. */
export function seenAnd(seen: number[], others: number[]): number[] {
  const places = new Set([...seen, ...others.filter((place) => place >= 0)]);
  return [...places].sort((a, b) => a - b);
}
