/** JSON values and their parts by JSON pointer (RFC 6901). Pure; what is changed is a copy. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function pathOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerOf(path: readonly (string | number)[]): string {
  return path
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** The part at the pointer; undefined where there is none. */
export function partAt(value: Json | undefined, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const key of pathOf(pointer)) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
}

/** The value with another part at the pointer; undefined takes the part out. Objects on the way are made. */
export function withPart(value: Json, pointer: string, part: Json | undefined): Json {
  return changed(value, pathOf(pointer), part) ?? null;
}

function changed(
  value: Json | undefined,
  path: readonly string[],
  part: Json | undefined,
): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return part;
  if (Array.isArray(value)) {
    const at = Number(key);
    const inner = changed(value[at], rest, part);
    if (inner === undefined) return value.filter((_, index) => index !== at);
    return at < value.length ? value.with(at, inner) : [...value, inner];
  }
  const whole = isObject(value) ? value : {};
  const inner = changed(Object.hasOwn(whole, key) ? whole[key] : undefined, rest, part);
  if (inner !== undefined) return { ...whole, [key]: inner };
  const { [key]: _, ...others } = whole;
  return others;
}

/** Whether both say the same; the order of keys does not count. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => same(item, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}
