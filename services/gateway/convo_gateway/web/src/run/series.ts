/** Verdicts by minute as a chart wants them. Pure. */
import type { Minute } from "../api";

const MINUTE_S = 60;
const LAST_HOUR = 60;
const MOST = 1_440;

export type Span = "hour" | "all";

export interface Series {
  /** Seconds since 1970, one a minute, without gaps. */
  at: number[];
  accepted: number[];
  rejected: number[];
  failed: number[];
}

/** Every minute from the first one on, also those without a verdict; the last hour, or all (at most a day). */
export function filled(minutes: Minute[], span: Span): Series {
  const byTime = new Map(minutes.map((minute) => [Date.parse(minute.minute) / 1000, minute]));
  const times = [...byTime.keys()].sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  const series: Series = { at: [], accepted: [], rejected: [], failed: [] };
  if (first === undefined || last === undefined) return series;
  const most = span === "hour" ? LAST_HOUR : MOST;
  for (let at = Math.max(first, last - (most - 1) * MINUTE_S); at <= last; at += MINUTE_S) {
    const { accepted = 0, rejected = 0, failed = 0 } = byTime.get(at) ?? {};
    series.at.push(at);
    series.accepted.push(accepted);
    series.rejected.push(rejected);
    series.failed.push(failed);
  }
  return series;
}

/** Each series on top of those before it. */
export function stacked(series: number[][]): number[][] {
  let below: number[] = [];
  return series.map((values) => {
    below = values.map((value, at) => value + (below[at] ?? 0));
    return below;
  });
}

/** What a person who does not see the chart is told. */
export function inWords({ at, accepted, rejected, failed }: Series): string {
  const whole = at.map((_, i) => (accepted[i] ?? 0) + (rejected[i] ?? 0) + (failed[i] ?? 0));
  const sum = whole.reduce((a, b) => a + b, 0);
  const minutes = `${at.length} minute${at.length === 1 ? "" : "s"}`;
  return `${sum} verdicts in ${minutes}, at most ${Math.max(0, ...whole)} in one`;
}
