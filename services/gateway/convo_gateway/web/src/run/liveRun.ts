/** A run as its page was read, with what the websocket has told since. Pure. */
import type { Run, RunSummary } from "../api";
import type { State } from "../live/topic";

export interface LiveRun extends RunSummary {
  /** A sentence for people: why it is paused or failed. */
  detail: string;
  inFlight: number;
}

export function liveRun(page: Run, state: State | undefined): LiveRun {
  const told = state as (Partial<LiveRun> & { in_flight?: number }) | undefined;
  const { happened } = page;
  if (told === undefined || (told.seq ?? 0) < page.seq) {
    return { ...page, detail: happened.detail, inFlight: 0 };
  }
  return {
    ...page,
    // What is not known any more is not told, rather than told as null.
    eta_s: null,
    rate_per_minute: null,
    ...told,
    detail: told.detail ?? happened.detail,
    inFlight: told.in_flight ?? 0,
  };
}
