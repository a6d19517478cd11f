/** What the fields of the filter and their values are called. Pure. */
import type { Facets } from "../api";
import { count, money, plural } from "../format";
import { LAYERS as LAYER_NAMES } from "../run/layers";
import { wordsOfRange } from "./ranges";
import type { CorpusFilter, ListName, RangeName } from "./search";

export const NAMES: Record<ListName | RangeName | "edited" | "q", string> = {
  status: "Verdict",
  reason: "Reason",
  layer: "Layer",
  review: "Review",
  run: "Run",
  config: "Config",
  persona: "Persona",
  voice: "Voice",
  mode: "Mode",
  language: "Language",
  turns: "Turns",
  score: "Score",
  cost: "Cost",
  edited: "Edited",
  q: "Text",
};

const UNKNOWN: Partial<Record<ListName, string>> = {
  language: "not known",
  review: "not reviewed",
};

/** A value in words. */
export function wordOf(name: ListName | "edited", value: string, label = ""): string {
  if (name === "edited") return value === "true" || value === "yes" ? "edited" : "as made";
  if (value === "none" && UNKNOWN[name]) return UNKNOWN[name];
  if (name === "layer") return `${value}, ${LAYER_NAMES[Number(value)] ?? "unknown"}`;
  return label || value;
}

/** A range in words. */
export function rangeWords(name: RangeName, text: string): string {
  if (name === "cost") return wordsOfRange(text, (n) => money(n * 1_000_000));
  return wordsOfRange(text, (n) => count(n));
}

/** A number of conversations, of which there may be more. */
export function atLeast(n: number, exact: boolean): string {
  return exact ? count(n) : `${count(n)}+`;
}

/** Such as `12 of 960 conversations`. */
export function matches({ total, exact, of }: Facets, filtered: boolean): string {
  const all = plural(of, "conversation");
  if (!filtered) return all;
  return exact ? `${count(total)} of ${all}` : `At least ${count(total)} of ${all}`;
}

/** How many filters are set. */
export function howMany(search: CorpusFilter, names: readonly (keyof CorpusFilter)[]): number {
  return names.filter((name) => search[name]).length;
}
