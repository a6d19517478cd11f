/** JSON values as YAML: blocks for what is nested, quotes where a text could be read as anything else. Pure. */
import { isObject, type Json } from "../catalog/json";

const PLAIN = /^[A-Za-z][\w.-]*( [\w.-]+)*$/;
const NOT_TEXT = /^(true|false|null|yes|no|on|off|y|n)$/i;

/** A document that ends with a line break. */
export function toYaml(value: { [key: string]: Json }): string {
  return `${block(value, "").join("\n")}\n`;
}

function block(value: Json, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listItem(item, indent));
  if (!isObject(value)) return [indent + scalar(value)];
  return Object.entries(value).flatMap(([key, part]) =>
    isNested(part)
      ? [`${indent}${scalar(key)}:`, ...block(part, `${indent}  `)]
      : [`${indent}${scalar(key)}: ${inline(part)}`],
  );
}

function listItem(item: Json, indent: string): string[] {
  if (!isNested(item)) return [`${indent}- ${inline(item)}`];
  const [first = "", ...others] = block(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...others];
}

/** Whether the value takes lines of its own. Lists of numbers and short words stay on one. */
function isNested(value: Json): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === "object" && item !== null);
  return isObject(value) && Object.keys(value).length > 0;
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  return isObject(value) ? "{}" : scalar(value);
}

function scalar(value: Json): string {
  if (typeof value !== "string") return String(value);
  return PLAIN.test(value) && !NOT_TEXT.test(value) ? value : JSON.stringify(value);
}
