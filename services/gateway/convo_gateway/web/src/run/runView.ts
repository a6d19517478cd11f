/** The page of a run with what the websocket has told since. Pure. No counter of it ever falls. */
import type { ReasonCount, Run, RunSummary } from "../api";
import type { State } from "../live/topic";

/** A reject as it is told live; what else there is to it is read with the rejects. */
export interface LiveReject {
  id: string;
  reason: string;
  layer: number;
}

export interface RunView extends Run {
  /** A sentence for people: why it is paused or failed. */
  detail: string;
  /** Model calls under way; undefined until the websocket has told. */
  inFlight?: number | undefined;
  reasons?: ReasonCount[] | undefined;
  lastRejects?: LiveReject[] | undefined;
}

interface Told extends Partial<RunSummary> {
  detail?: string;
  in_flight?: number;
  reasons?: Record<string, { layer: number; precedence: number; count: number }>;
  last_rejects?: LiveReject[];
}

const COUNTERS = ["generated", "accepted", "rejected", "failed", "cancelled"] as const;
/** Members of the summary that a message leaves out where they are null. */
const NULLABLE = [
  "cost_micro",
  "estimate_micro",
  "spend_cap_micro",
  "not_before",
  "started_at",
  "ended_at",
  "rate_per_minute",
  "eta_s",
] as const satisfies readonly (keyof RunSummary)[];
const SUMMARY = [
  "status",
  "reason",
  "open",
  "unknown_calls",
  "unknown_micro",
  "unpriced_calls",
  "seq",
  ...COUNTERS,
  ...NULLABLE,
] as const satisfies readonly (keyof RunSummary)[];

/** A page that was just read, beside what was known: whatever is further stays. */
export function read(page: Run, before: RunView | undefined, state: State | undefined): RunView {
  const fresh: RunView = { ...page, detail: page.happened.detail };
  const known = before && before.seq > page.seq ? { ...fresh, ...part(before) } : fresh;
  const { inFlight, reasons, lastRejects } = before ?? {};
  return told({ ...known, inFlight, reasons, lastRejects }, state);
}

/** The page after what the websocket told; itself where that is older. */
export function told(view: RunView, state: State | undefined): RunView {
  if (state === undefined) return view;
  const news = state as Told;
  const older = (news.seq ?? 0) < view.seq;
  if (older || COUNTERS.some((name) => (news[name] ?? 0) < view[name])) return view;
  const nulls = Object.fromEntries(NULLABLE.map((name) => [name, null]));
  const summary = part({ ...nulls, ...news });
  return {
    ...view,
    ...summary,
    cost_micro: larger(view.cost_micro, news.cost_micro),
    detail: news.detail ?? "",
    inFlight: news.in_flight ?? 0,
    reasons: inPrecedence(news.reasons ?? {}),
    lastRejects: news.last_rejects ?? [],
  };
}

/** The page after a command was answered, before the read model shows it. */
export function commanded(view: RunView, status: RunSummary["status"], seq: number): RunView {
  return seq > view.seq ? { ...view, status, seq, eta_s: null } : view;
}

function part(of: Partial<RunSummary>): Partial<RunSummary> {
  const entries = SUMMARY.filter((name) => of[name] !== undefined).map((name) => [name, of[name]]);
  return Object.fromEntries(entries);
}

function larger(one: number | null | undefined, other: number | null | undefined): number | null {
  if (one === null || one === undefined) return other ?? null;
  return Math.max(one, other ?? 0);
}

function inPrecedence(reasons: NonNullable<Told["reasons"]>): ReasonCount[] {
  return Object.entries(reasons)
    .map(
      ([reason, { layer, precedence, count }]): ReasonCount => ({
        reason,
        layer,
        precedence,
        count,
        counted_under: layer === 0 ? "failed" : "rejected",
      }),
    )
    .sort(
      (a, b) => a.layer - b.layer || a.precedence - b.precedence || (a.reason < b.reason ? -1 : 1),
    );
}
