/** Ranges of numbers as text, such as `2..8`, `4..` or `..0.5`. Pure. */

export type RangeText = string;

export interface Range {
  from?: number | undefined;
  to?: number | undefined;
}

interface Kind {
  whole?: boolean;
  negative?: boolean;
}

const END = /^-?(\d{1,9}(\.\d{1,6})?|\.\d{1,6})$/;

/** A range that an address may have; undefined where it is none, or has no end. */
export function readRange(value: unknown, kind: Kind): RangeText | undefined {
  const parts = typeof value === "string" ? value.split("..") : [];
  if (parts.length !== 2) return undefined;
  const [from, to] = parts.map((part) => end(part ?? "", kind));
  return textOfRange({ from, to });
}

function end(text: string, { whole = false, negative = false }: Kind): number | undefined {
  if (!END.test(text)) return undefined;
  const number = Number(text);
  if ((whole && !Number.isInteger(number)) || (!negative && number < 0)) return undefined;
  return number;
}

/** The ends of a range. */
export function rangeOf(text: RangeText | undefined): Range {
  const [from, to] = (text ?? "").split("..");
  return { from: from ? Number(from) : undefined, to: to ? Number(to) : undefined };
}

export function textOfRange({ from, to }: Range): RangeText | undefined {
  if (from === undefined && to === undefined) return undefined;
  return `${plain(from)}..${plain(to)}`;
}

/** A range for people. */
export function wordsOfRange(text: RangeText, unit: (n: number) => string): string {
  const { from, to } = rangeOf(text);
  if (from === undefined) return `at most ${unit(to ?? 0)}`;
  if (to === undefined) return `at least ${unit(from)}`;
  return from === to ? unit(from) : `${unit(from)} to ${unit(to)}`;
}

function plain(n: number | undefined): string {
  // Not 1e-7: an address has digits.
  return n === undefined ? "" : String(Number(n.toFixed(6)));
}
