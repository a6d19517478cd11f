/** Two texts as the lines that differ, each with a few lines around it. Pure. */
import { structuredPatch } from "diff";

export interface DiffLine {
  /** Number in the text before and after; none where the line is not in it. */
  before: number | undefined;
  after: number | undefined;
  sign: " " | "+" | "-";
  text: string;
}

export type Hunk = DiffLine[];

const CONTEXT = 3;
const PATIENCE_MS = 2_000;

/** The places that differ; undefined where there is too much to compare. */
export function hunksOf(before: string, after: string): Hunk[] | undefined {
  const patch = structuredPatch("", "", before, after, "", "", {
    context: CONTEXT,
    timeout: PATIENCE_MS,
  });
  return patch?.hunks.map(({ oldStart, newStart, lines }) => {
    let [old, now] = [oldStart, newStart];
    return lines
      .filter((line) => !line.startsWith("\\"))
      .map((line): DiffLine => {
        const sign = line[0] === "+" ? "+" : line[0] === "-" ? "-" : " ";
        const at = {
          before: sign === "+" ? undefined : old,
          after: sign === "-" ? undefined : now,
        };
        if (sign !== "+") old += 1;
        if (sign !== "-") now += 1;
        return { ...at, sign, text: line.slice(1) };
      });
  });
}
