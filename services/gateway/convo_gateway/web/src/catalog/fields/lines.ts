/** A list of texts as lines of one text, and back. Pure.

A line break inside a value is written as the sign ␤; the sign itself as \␤. Empty lines are no values. */

const BREAK = "\u2424";

export function linesOf(values: readonly string[]): string {
  return values
    .map((value) =>
      /[\n\r\u2424]/.test(value)
        ? value.replaceAll(BREAK, `\\${BREAK}`).replaceAll(/\r\n|\r|\n/g, BREAK)
        : value,
    )
    .join("\n");
}

export function valuesOf(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (!text.includes(BREAK)) return lines;
  return lines.map((line) =>
    line.replaceAll(/\\?\u2424/g, (found) => (found.length > 1 ? BREAK : "\n")),
  );
}

export interface Repeats {
  /** Values that stand there again. */
  count: number;
  /** A few of them. */
  some: string[];
}

export function repeatsIn(values: readonly string[]): Repeats {
  const seen = new Set<string>();
  const again = new Set<string>();
  let count = 0;
  for (const value of values) {
    if (!seen.has(value)) seen.add(value);
    else {
      count += 1;
      if (again.size < 3) again.add(value);
    }
  }
  return { count, some: [...again] };
}
