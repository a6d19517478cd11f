/** A rule's parameters, as the JSON schema that it announces describes them. Pure. */
import { isObject, type Json } from "../catalog/json";

export interface Parameter {
  name: string;
  /** Such as `Most words`. */
  title: string;
  description: string;
  type: "boolean" | "integer" | "number" | "choice" | "list" | "text";
  otherwise: Json | undefined;
  choices: string[];
  /** Such as `1 to 100,000`; empty where there are no bounds. */
  range: string;
}

/** The parameters that a schema describes, in its order. */
export function parametersOf(schema: { [key: string]: unknown }): Parameter[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const choices = Array.isArray(property.enum) ? property.enum.map(String) : [];
    return [
      {
        name,
        title: capital(name.replaceAll("_", " ")),
        description: String(property.description ?? "").replaceAll("``", ""),
        type: typeOf(property.type, choices),
        otherwise: property.default,
        choices,
        range: rangeOf(property),
      },
    ];
  });
}

function typeOf(type: Json | undefined, choices: string[]): Parameter["type"] {
  if (choices.length > 0) return "choice";
  if (type === "boolean" || type === "integer" || type === "number") return type;
  return type === "array" ? "list" : "text";
}

function rangeOf(property: { [key: string]: Json }): string {
  const low = bound(property.minimum, property.exclusiveMinimum, "over");
  const high = bound(property.maximum, property.exclusiveMaximum, "under");
  if (low && high) return `${low} to ${high}`;
  if (low) return low.startsWith("over") ? low : `${low} or more`;
  return high && (high.startsWith("under") ? high : `at most ${high}`);
}

function bound(closed: Json | undefined, open: Json | undefined, word: string): string {
  if (typeof closed === "number") return closed.toLocaleString("en-US");
  return typeof open === "number" ? `${word} ${open.toLocaleString("en-US")}` : "";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How a value is told, such as `on` or `2,000`. */
export function valueWords(value: Json | undefined): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return value.toLocaleString("en-US");
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return value === undefined || value === null ? "none" : String(value);
}
