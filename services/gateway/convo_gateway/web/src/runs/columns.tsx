import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { RunSummary } from "../api";
import { count, DASH, duration, money } from "../format";
import { useNow } from "../now";
import type { Column } from "../parts/DataGrid";
import { StatusBadge } from "../parts/StatusBadge";
import { VerdictBar } from "../parts/VerdictBar";
import { When } from "../parts/When";

function numbered(id: string, name: string, value: (run: RunSummary) => number, sortable = false) {
  const cell = (run: RunSummary) => count(value(run));
  return { id, name, width: "88px", number: true, wide: true, sortable, cell };
}

export const COLUMNS: Column<RunSummary>[] = [
  {
    id: "name",
    name: "Name",
    width: "minmax(190px, 1fr)",
    sortable: true,
    cell: (run) => (
      <>
        <Link to="/runs/$run" params={{ run: run.id }} className="row-link" tabIndex={-1}>
          {run.name}
        </Link>
        <Text size="xs" c="dimmed" truncate>
          {run.config} v{run.config_version}, {run.mode}
        </Text>
      </>
    ),
  },
  {
    id: "status",
    name: "Status",
    width: "118px",
    cell: (run) => <StatusBadge status={run.status} />,
  },
  {
    id: "progress",
    name: "Progress",
    width: "120px",
    cell: (run) => <Progress run={run} />,
  },
  numbered("target", "Target", (run) => run.target, true),
  numbered("generated", "Generated", (run) => run.generated),
  numbered("accepted", "Accepted", (run) => run.accepted, true),
  numbered("rejected", "Rejected", (run) => run.rejected),
  numbered("failed", "Failed", (run) => run.failed),
  {
    id: "cost",
    name: "Cost of estimate",
    width: "150px",
    number: true,
    wide: true,
    sortable: true,
    cell: (run) => (
      <>
        {money(run.cost_micro)}
        {run.unknown_calls > 0 && (
          <span
            title={`${count(run.unknown_calls)} calls of unknown cost, at most ${money(run.unknown_micro)}`}
          >
            {" + ?"}
          </span>
        )}
        <Text size="xs" c="dimmed">
          of {money(run.estimate_micro)}
        </Text>
      </>
    ),
  },
  {
    id: "started",
    name: "Started",
    width: "112px",
    wide: true,
    sortable: true,
    cell: (run) => <When at={run.started_at ?? run.planned_at} />,
  },
  {
    id: "duration",
    name: "Duration",
    width: "96px",
    wide: true,
    cell: (run) => <Lasted run={run} />,
  },
];

function Progress({ run }: { run: RunSummary }) {
  const settled = run.accepted + run.rejected + run.failed;
  return (
    <>
      <VerdictBar of={run} />
      <Text size="xs" c="dimmed" className="progress-words">
        {count(settled)} of {count(run.target)}
      </Text>
    </>
  );
}

function Lasted({ run }: { run: RunSummary }) {
  const now = useNow();
  if (!run.started_at) return DASH;
  const end = run.ended_at ? Date.parse(run.ended_at) : now;
  return duration((end - Date.parse(run.started_at)) / 1000);
}
