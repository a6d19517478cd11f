/** State of the page Corpus in its address: which conversations, in which order, and how they are shown. */
import type { ConversationFilter, ConversationSummary, SavedView } from "../api";
import { oneOf, shortText, someOf } from "../search";
import { type RangeText, rangeOf, readRange, textOfRange } from "./ranges";

export type ConversationStatus = ConversationSummary["status"];
export type Sort = NonNullable<SavedView["sort"]>;

export const STATUSES: readonly ConversationStatus[] = [
  "accepted",
  "rejected",
  "failed",
  "open",
  "cancelled",
];
export const REVIEWS = ["accepted", "rejected", "flagged", "none"] as const;
export const LAYERS = ["0", "1", "2", "3"] as const;
export const SORTS: readonly Sort[] = [
  "-created",
  "created",
  "-score",
  "score",
  "-cost",
  "cost",
  "-turns",
  "turns",
  "-words",
  "words",
];
export const NEWEST_FIRST: Sort = "-created";

/** Fields that list values, in the order in which they are offered. */
export const LISTS = [
  "status",
  "reason",
  "layer",
  "review",
  "run",
  "config",
  "persona",
  "voice",
  "mode",
  "language",
] as const;
export type ListName = (typeof LISTS)[number];
export const RANGES = ["turns", "score", "cost"] as const;
export type RangeName = (typeof RANGES)[number];
/** More are kept in a saved view. */
const MOST = 30;

export interface CorpusFilter {
  run?: string[] | undefined;
  config?: string[] | undefined;
  status?: ConversationStatus[] | undefined;
  reason?: string[] | undefined;
  layer?: (typeof LAYERS)[number][] | undefined;
  persona?: string[] | undefined;
  voice?: string[] | undefined;
  mode?: string[] | undefined;
  language?: string[] | undefined;
  review?: (typeof REVIEWS)[number][] | undefined;
  edited?: "yes" | "no" | undefined;
  /** Both ends, such as `2..8`, `4..` or `..0.5`; cost is in US dollars. */
  turns?: RangeText | undefined;
  score?: RangeText | undefined;
  cost?: RangeText | undefined;
  /** Words of the turns. */
  q?: string | undefined;
}

export interface CorpusSearch extends CorpusFilter {
  sort?: Sort | undefined;
  /** Columns that are shown; without, the usual ones. */
  cols?: string[] | undefined;
  density?: "compact" | undefined;
  /** The conversation that is looked into beside the list. */
  peek?: string | undefined;
  /** The saved view that this began with. */
  view?: string | undefined;
}

/** What takes every filter away; order and looks stay. */
export const NO_FILTER = {
  run: undefined,
  config: undefined,
  status: undefined,
  reason: undefined,
  layer: undefined,
  persona: undefined,
  voice: undefined,
  mode: undefined,
  language: undefined,
  review: undefined,
  edited: undefined,
  turns: undefined,
  score: undefined,
  cost: undefined,
  q: undefined,
} as const satisfies Record<keyof CorpusFilter, undefined>;

export function isFiltered(search: CorpusFilter): boolean {
  return (Object.keys(NO_FILTER) as (keyof CorpusFilter)[]).some((name) => search[name]);
}

export function readCorpusSearch(raw: Record<string, unknown>): CorpusSearch {
  const sort = oneOf(raw.sort, SORTS);
  return {
    run: names(raw.run),
    config: names(raw.config),
    status: someOf(raw.status, STATUSES),
    reason: names(raw.reason),
    layer: someOf(raw.layer, LAYERS),
    persona: names(raw.persona),
    voice: names(raw.voice),
    mode: names(raw.mode),
    language: names(raw.language),
    review: someOf(raw.review, REVIEWS),
    edited: oneOf(raw.edited, ["yes", "no"] as const),
    turns: readRange(raw.turns, { whole: true }),
    score: readRange(raw.score, { negative: true }),
    cost: readRange(raw.cost, {}),
    q: shortText(raw.q, 200),
    sort: sort === NEWEST_FIRST ? undefined : sort,
    cols: names(raw.cols),
    density: oneOf(raw.density, ["compact"] as const),
    peek: shortText(raw.peek, 200),
    view: shortText(raw.view),
  };
}

/** Names as an address lists them, where a comma of a name stands as `%2C`. */
function names(value: unknown): string[] | undefined {
  const listed = Array.isArray(value)
    ? value.map(String)
    : String(value ?? "")
        .split(",")
        .map((name) => name.replaceAll("%2C", ",").replaceAll("%25", "%"));
  const found = [...new Set(listed.map((name) => name.slice(0, 200)).filter(Boolean))];
  return found.length > 0 ? found.slice(0, MOST) : undefined;
}

/** The filter as the API takes it. */
export function queryOf(search: CorpusFilter) {
  const turns = rangeOf(search.turns);
  const score = rangeOf(search.score);
  const cost = rangeOf(search.cost);
  return {
    run: search.run,
    config: search.config,
    status: search.status,
    reason: search.reason,
    layer: search.layer?.map(Number),
    persona: search.persona,
    voice: search.voice,
    mode: search.mode,
    language: search.language,
    review: search.review,
    edited: search.edited && search.edited === "yes",
    turns_from: turns.from,
    turns_to: turns.to,
    score_from: score.from,
    score_to: score.to,
    cost_from: cost.from,
    cost_to: cost.to,
    text: search.q,
  };
}

/** What a saved view shows, as the address has it. */
export function searchOfView({ id, filter, sort, columns, density }: SavedView): CorpusSearch {
  return readCorpusSearch({
    ...searchOfFilter(filter),
    sort,
    cols: columns,
    density: density === "compact" ? density : undefined,
    view: id,
  });
}

function searchOfFilter(filter: ConversationFilter): CorpusFilter {
  const range = (from: number | null | undefined, to: number | null | undefined) =>
    textOfRange({ from: from ?? undefined, to: to ?? undefined });
  return {
    ...(Object.fromEntries(LISTS.map((name) => [name, filter[name]?.map(String)])) as CorpusFilter),
    edited: filter.edited == null ? undefined : filter.edited ? "yes" : "no",
    turns: range(filter.turns_from, filter.turns_to),
    score: range(filter.score_from, filter.score_to),
    cost: range(filter.cost_from, filter.cost_to),
    q: filter.text,
  };
}
