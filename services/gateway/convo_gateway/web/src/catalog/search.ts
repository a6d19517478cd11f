/** State of the pages of the catalog in their addresses. */
import { oneOf, shortText } from "../search";

export interface ListSearch {
  q?: string | undefined;
  archived?: "yes" | undefined;
}

export function readListSearch(raw: Record<string, unknown>): ListSearch {
  return { q: shortText(raw.q, 200), archived: oneOf(raw.archived, ["yes"] as const) };
}

export const TABS = ["yaml", "uses"] as const;

export interface ObjectSearch {
  /** None: the latest. */
  version?: string | undefined;
  /** None: how it reads. */
  tab?: (typeof TABS)[number] | undefined;
}

export function readObjectSearch(raw: Record<string, unknown>): ObjectSearch {
  return { version: number(raw.version), tab: oneOf(raw.tab, TABS) };
}

export interface VersionsSearch {
  from?: string | undefined;
  to?: string | undefined;
}

export function readVersionsSearch(raw: Record<string, unknown>): VersionsSearch {
  return { from: number(raw.from), to: number(raw.to) };
}

export const WAYS = ["yaml", "table"] as const;

export interface ImportSearch {
  way?: (typeof WAYS)[number] | undefined;
  kind?: "personas" | "voices" | "pools" | undefined;
}

export function readImportSearch(raw: Record<string, unknown>): ImportSearch {
  return {
    way: oneOf(raw.way, WAYS),
    kind: oneOf(raw.kind, ["personas", "voices", "pools"] as const),
  };
}

export interface NewSearch {
  /** Name of the object that the new one begins as a copy of. */
  like?: string | undefined;
}

export function readNewSearch(raw: Record<string, unknown>): NewSearch {
  return { like: shortText(raw.like) };
}

function number(value: unknown): string | undefined {
  const text = shortText(value, 9);
  return text !== undefined && /^[1-9]\d*$/.test(text) ? text : undefined;
}
