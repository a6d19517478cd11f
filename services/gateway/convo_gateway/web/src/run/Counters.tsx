import { Tooltip } from "@mantine/core";
import { count, DASH, duration } from "../format";
import type { LiveRun } from "./liveRun";

/** The six numbers under the bar. */
export function Counters({ run }: { run: LiveRun }) {
  const rate = run.rate_per_minute;
  const counters: [string, string, string?][] = [
    ["Generated", count(run.generated)],
    ["Accepted", count(run.accepted), "Includes conversations that were edited or flagged later"],
    ["Rejected", count(run.rejected)],
    ["Failed", count(run.failed)],
    ["Rate", rate === null || rate === undefined ? DASH : `${rate.toFixed(1)} / min`],
    ["ETA", run.eta_s === null || run.eta_s === undefined ? DASH : duration(run.eta_s)],
  ];
  return (
    <dl className="counters">
      {counters.map(([name, value, meaning]) => (
        <Tooltip key={name} label={meaning} disabled={!meaning}>
          <div className="counter" data-counter={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        </Tooltip>
      ))}
    </dl>
  );
}
