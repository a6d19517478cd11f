import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { count, DASH, duration } from "../format";
import type { RunView } from "./runView";

interface Counter {
  name: string;
  /** What it is called where that is another word. */
  label?: string | undefined;
  value: string;
  meaning?: string;
  /** What Corpus shows of it; undefined where it does not count conversations. */
  status?: "accepted" | "rejected" | "failed" | "any";
}

/** The six numbers under the bar. Those that count conversations lead to them. */
export function Counters({ run }: { run: RunView }) {
  const rate = run.rate_per_minute;
  const counters: Counter[] = [
    {
      name: "Generated",
      label: run.mode === "import" ? "Read" : undefined,
      value: count(run.generated),
      status: "any",
    },
    {
      name: "Accepted",
      value: count(run.accepted),
      status: "accepted",
      meaning: "Also counts conversations later edited or flagged",
    },
    { name: "Rejected", value: count(run.rejected), status: "rejected" },
    { name: "Failed", value: count(run.failed), status: "failed" },
    {
      name: "Rate",
      value: typeof rate === "number" ? `${rate.toFixed(1)} / min` : DASH,
      meaning: run.ended_at ? "Verdicts a minute over the whole run" : "Verdicts a minute, now",
    },
    { name: "ETA", value: typeof run.eta_s === "number" ? duration(run.eta_s) : DASH },
  ];
  return (
    <dl className="counters">
      {counters.map((counter) => (
        <OneCounter key={counter.name} run={run.id} {...counter} />
      ))}
    </dl>
  );
}

// Only those that changed are drawn again: there are four changes a second.
const OneCounter = memo(function OneCounter(props: Counter & { run: string }) {
  const { run, name, label = name, value, meaning, status } = props;
  const search = { run: [run], status: status && status !== "any" ? [status] : undefined };
  const shown = (
    <div className="counter" data-counter={name}>
      <dt>{label}</dt>
      <dd>
        {status ? (
          <Link to="/corpus" search={search} className="counter-link">
            {value}
          </Link>
        ) : (
          value
        )}
      </dd>
    </div>
  );
  if (meaning === undefined) return shown;
  return (
    <Tooltip label={meaning} events={{ hover: true, focus: true, touch: true }}>
      {shown}
    </Tooltip>
  );
});
