/** State of the page Runs in its address. */
import type { RunSummary } from "../api";
import { oneOf, shortText, someOf } from "../search";
import { realDay } from "./days";

export type RunStatus = RunSummary["status"];

export const STATUSES: readonly RunStatus[] = [
  "running",
  "queued",
  "paused",
  "cancelling",
  "completed",
  "cancelled",
  "failed",
];
export const FINAL: ReadonlySet<RunStatus> = new Set(["completed", "cancelled", "failed"]);

export const SORTS = [
  "-started",
  "started",
  "name",
  "-name",
  "-target",
  "target",
  "-accepted",
  "accepted",
  "-cost",
  "cost",
] as const;
export type Sort = (typeof SORTS)[number];
export const NEWEST_FIRST: Sort = "-started";

export interface RunsSearch {
  q?: string | undefined;
  status?: RunStatus[] | undefined;
  config?: string | undefined;
  /** First and last day of their start, in UTC. */
  from?: string | undefined;
  to?: string | undefined;
  sort?: Sort | undefined;
  /** Whether the start form is open. */
  form?: "open" | undefined;
  /** The config that the start form begins with. */
  of?: string | undefined;
  /** The import that it begins with. */
  import?: string | undefined;
}

/** What takes every filter away; the order stays. */
export const NO_FILTER = {
  q: undefined,
  status: undefined,
  config: undefined,
  from: undefined,
  to: undefined,
} as const satisfies RunsSearch;

export function isFiltered({ q, status, config, from, to }: RunsSearch): boolean {
  return Boolean(q || status || config || from || to);
}

export function readRunsSearch(raw: Record<string, unknown>): RunsSearch {
  const sort = oneOf(raw.sort, SORTS);
  return {
    q: shortText(raw.q, 200),
    status: someOf(raw.status, STATUSES),
    config: shortText(raw.config),
    from: realDay(shortText(raw.from)),
    to: realDay(shortText(raw.to)),
    sort: sort === NEWEST_FIRST ? undefined : sort,
    form: oneOf(raw.form, ["open"] as const),
    of: shortText(raw.of),
    import: shortText(raw.import),
  };
}
