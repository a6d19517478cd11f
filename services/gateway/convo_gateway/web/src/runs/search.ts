/** State of the page Runs in its address. */
import type { RunSummary } from "../api";
import { oneOf, shortText, someOf } from "../search";

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
  sort?: Sort | undefined;
  /** Whether the start form is open. */
  form?: "open" | undefined;
  /** The config that the start form begins with. */
  of?: string | undefined;
}

export function readRunsSearch(raw: Record<string, unknown>): RunsSearch {
  const sort = oneOf(raw.sort, SORTS);
  return {
    q: shortText(raw.q, 200),
    status: someOf(raw.status, STATUSES),
    config: shortText(raw.config),
    sort: sort === NEWEST_FIRST ? undefined : sort,
    form: oneOf(raw.form, ["open"] as const),
    of: shortText(raw.of),
  };
}
