/** What a JSON Schema says of a part: its description and its limits. Pure. */
import { isObject, type Json, pathOf } from "./json";

export type Schema = { [key: string]: Json };

export interface Limits {
  maxLength: number | undefined;
  words: string[] | undefined;
}

/** The description of a part as help for people; undefined where there is none. */
export function helpAt(schema: Schema | undefined, pointer: string): string | undefined {
  for (const found of schemasAt(schema, pointer)) {
    if (typeof found.description === "string") return helpWords(found.description);
  }
  return undefined;
}

export function limitsAt(schema: Schema | undefined, pointer: string): Limits {
  const found = schemasAt(schema, pointer).flatMap((part) => alternatives(schema, part));
  const longest = found.find(({ maxLength }) => typeof maxLength === "number")?.maxLength;
  const words = found.flatMap((part) => enumOf(part));
  return {
    maxLength: typeof longest === "number" ? longest : undefined,
    words: words.length > 0 ? words : undefined,
  };
}

/** The words that entries of a list, or keys of an object, can be. */
export function wordsInside(schema: Schema | undefined, pointer: string): string[] | undefined {
  const found = schemasAt(schema, pointer)
    .flatMap((part) => alternatives(schema, part))
    .flatMap((part) => [part.items, part.propertyNames])
    .filter(isObject)
    .flatMap((part) => alternatives(schema, part))
    .flatMap((part) => enumOf(part));
  return found.length > 0 ? found : undefined;
}

function enumOf(part: Schema): string[] {
  return Array.isArray(part.enum) ? part.enum.map(String) : [];
}

function schemasAt(schema: Schema | undefined, pointer: string): Schema[] {
  if (schema === undefined) return [];
  let found: Schema[] = [schema];
  for (const key of pathOf(pointer)) {
    found = found
      .flatMap((part) => alternatives(schema, part))
      .flatMap((part) => inside(part, key))
      .filter(isObject);
    if (found.length === 0) return [];
  }
  return found;
}

function inside(part: Schema, key: string): (Json | undefined)[] {
  if (/^\d+$/.test(key)) {
    const first = Array.isArray(part.prefixItems) ? part.prefixItems[Number(key)] : undefined;
    return [first ?? part.items];
  }
  const named = isObject(part.properties) ? part.properties[key] : undefined;
  return [named ?? part.additionalProperties];
}

/** The schema with everything that it refers to or chooses from. */
function alternatives(schema: Schema | undefined, part: Schema, depth = 0): Schema[] {
  if (depth > 8) return [];
  const others = [part.anyOf, part.oneOf, part.allOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  if (typeof part.$ref === "string") others.push(referred(schema, part.$ref));
  // A file with one object; what is under `then` is a file with a list of them.
  if (part.else !== undefined) others.push(part.else);
  return [
    part,
    ...others.filter(isObject).flatMap((other) => alternatives(schema, other, depth + 1)),
  ];
}

function referred(schema: Schema | undefined, ref: string): Json {
  let found: Json | undefined = schema;
  for (const key of pathOf(ref.replace(/^#/, ""))) found = isObject(found) ? found[key] : undefined;
  return found ?? null;
}

/** A description without the marks of the code that it comes from. */
function helpWords(description: string): string {
  const [first = ""] = description.split("\n\n");
  return first
    .replaceAll("``", "")
    .replaceAll("\n", " ")
    .replaceAll(/\bNone\b/g, "Empty");
}
