/** Two changes of one object, put together field by field. Pure. */
import { isObject, type Json, pointerOf, same, withPart } from "./json";

export interface Both {
  pointer: string;
  base: Json | undefined;
  mine: Json | undefined;
  theirs: Json | undefined;
}

export interface Merge {
  /** Theirs, with what only I changed. */
  merged: Json;
  /** What both changed, each in another way. */
  both: Both[];
  /** Pointers of what only they changed, and of what only I did. */
  theirs: string[];
  mine: string[];
}

/** What became of `base` in both hands. */
export function threeWay(base: Json, mine: Json, theirs: Json): Merge {
  const found: Merge = { merged: theirs, both: [], theirs: [], mine: [] };
  walk([], base, mine, theirs, found);
  return found;
}

function walk(
  path: (string | number)[],
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
  found: Merge,
): void {
  const pointer = pointerOf(path);
  if (same(mine, theirs)) return;
  if (same(mine, base)) {
    found.theirs.push(pointer);
  } else if (same(theirs, base)) {
    found.mine.push(pointer);
    found.merged = withPart(found.merged, pointer, mine);
  } else if (isObject(mine) && isObject(theirs)) {
    const old = isObject(base) ? base : {};
    for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
      walk([...path, key], old[key], mine[key], theirs[key], found);
    }
  } else if (alike(mine, theirs) && alike(theirs, mine) && alike(base, mine)) {
    mine.forEach((item, at) => {
      walk([...path, at], base[at], item, theirs[at], found);
    });
  } else {
    found.both.push({ pointer, base, mine, theirs });
  }
}

/** Whether both are lists of as many objects. */
function alike(a: Json | undefined, b: Json | undefined): a is Json[] {
  return (
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    [...a, ...b].every((item) => isObject(item))
  );
}

/** The merge with what was chosen for each that both changed. */
export function chosenOf(merge: Merge, choices: Record<string, "mine" | "theirs">): Json {
  return merge.both.reduce(
    (whole, { pointer, mine }) =>
      choices[pointer] === "theirs" ? whole : withPart(whole, pointer, mine),
    merge.merged,
  );
}
