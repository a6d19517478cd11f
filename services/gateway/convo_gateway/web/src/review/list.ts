/** The list that a queue is made of: as the gateway is asked for it, and as chips. Pure. */
import type { GetQueueData } from "../api";
import type { CorpusSearch } from "../corpus/search";

const NAMES: Record<string, string> = {
  run: "Run",
  config: "Config",
  status: "Verdict",
  reason: "Reason",
  layer: "Layer",
  persona: "Persona",
  voice: "Voice",
  mode: "Mode",
  language: "Language",
  review: "Review",
};
/** Fields of a filter that the gateway takes as lists. */
const LISTS = new Set(Object.keys(NAMES));

export interface Chip {
  key: string;
  text: string;
  /** The change of the search that takes it away. */
  without: CorpusSearch;
}

export function queryOf(list: CorpusSearch): GetQueueData["query"] {
  const entries = Object.entries(list).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, LISTS.has(name) ? [value].flat() : value]),
  ) as GetQueueData["query"];
}

export function chipsOf(list: CorpusSearch): Chip[] {
  return Object.entries(list).flatMap(([name, value]) =>
    value === undefined || name === "sort"
      ? []
      : [
          {
            key: name,
            text: `${NAMES[name] ?? name.replaceAll("_", " ")}: ${[value].flat().join(", ")}`,
            without: { [name]: undefined } as CorpusSearch,
          },
        ],
  );
}
