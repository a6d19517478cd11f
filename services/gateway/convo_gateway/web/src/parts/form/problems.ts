/** What is wrong with a draft, and at which of its parts. Pure. */

export interface Problem {
  message: string;
  /** JSON pointer into the draft; empty for the whole. */
  pointer: string;
  severity: "error" | "warning";
}

export function errorsOf(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity === "error");
}

export function warningsOf(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity === "warning");
}

/** The problems of one part itself, in one text; undefined where it has none. */
export function textAt(problems: readonly Problem[], pointer: string): string | undefined {
  const said = problems.filter((problem) => problem.pointer === pointer);
  return said.length === 0 ? undefined : said.map(({ message }) => message).join("; ");
}

/** How many problems a part has, with all that is in it. */
export function countUnder(problems: readonly Problem[], pointers: readonly string[]): number {
  return problems.filter(({ pointer }) => pointers.some((outer) => isUnder(pointer, outer))).length;
}

export function isUnder(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** The pointer, and every part around it, the nearest first. */
export function outwards(pointer: string): string[] {
  const found: string[] = [];
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) found.push(at);
  return found;
}
