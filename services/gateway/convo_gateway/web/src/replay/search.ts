/** State of the page in its address: what is tried, the replay of it, and what of the result is looked at. */
import { shortText } from "../search";

export interface ReplaySearch {
  /** What is changed, as short JSON. */
  with?: string | undefined;
  /** Id of the replay whose result is shown. */
  replay?: string | undefined;
  /** Name of a verdict set that is shown instead. */
  set?: string | undefined;
  /** Which flips are listed: the status before and after, such as `accepted-rejected`; else all. */
  flips?: string | undefined;
  /** Id of the conversation that is looked into. */
  peek?: string | undefined;
}

/** Statuses of a run whose record stands still. */
export const STANDS: ReadonlySet<string> = new Set(["paused", "completed", "cancelled", "failed"]);
const LONGEST = 4_000;

export function readReplaySearch(raw: Record<string, unknown>): ReplaySearch {
  return {
    with: shortText(raw.with, LONGEST),
    replay: shortText(raw.replay),
    set: shortText(raw.set),
    flips: shortText(raw.flips, 40),
    peek: shortText(raw.peek, 200),
  };
}

/** The changes as the address can hold them; nothing where they are too long for it. */
export function asText(changes: object): string | undefined {
  const text = JSON.stringify(changes);
  return text === "{}" || text.length > LONGEST ? undefined : text;
}
