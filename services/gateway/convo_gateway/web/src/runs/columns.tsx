import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { RunSummary } from "../api";
import { count, duration, money } from "../format";
import { useNow } from "../now";
import type { Column } from "../parts/DataGrid";
import { Plain } from "../parts/Plain";
import { StatusBadge } from "../parts/StatusBadge";
import { VerdictBar } from "../parts/VerdictBar";
import { When } from "../parts/When";

function numbered(id: string, name: string, width: number, value: (run: RunSummary) => number) {
  const cell = (run: RunSummary) => count(value(run));
  return { id, name, width, number: true, wide: true, cell };
}

export const COLUMNS: Column<RunSummary>[] = [
  {
    id: "name",
    name: "Name",
    width: 170,
    sortable: true,
    cell: (run) => (
      <>
        <Link
          to="/runs/$run"
          params={{ run: run.id }}
          className="row-link"
          tabIndex={-1}
          title={run.name}
        >
          <Plain text={run.name} />
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
    width: 114,
    cell: (run) => <StatusBadge status={run.status} />,
  },
  {
    id: "target",
    name: "Target",
    width: 80,
    sortable: true,
    cell: (run) => <Progress run={run} />,
  },
  numbered("generated", "Generated", 76, (run) => run.generated),
  { ...numbered("accepted", "Accepted", 90, (run) => run.accepted), sortable: true },
  numbered("rejected", "Rejected", 68, (run) => run.rejected),
  numbered("failed", "Failed", 50, (run) => run.failed),
  {
    id: "cost",
    name: "Cost",
    width: 90,
    number: true,
    wide: true,
    sortable: true,
    cell: (run) => <Cost run={run} />,
  },
  {
    id: "started",
    name: "Started",
    width: 112,
    wide: true,
    sortable: true,
    cell: (run) => <Started run={run} />,
  },
];

function Cost({ run }: { run: RunSummary }) {
  const unknown = `${count(run.unknown_calls)} calls of unknown cost, at most ${money(run.unknown_micro)}`;
  return (
    <>
      {money(run.cost_micro)}
      {run.unknown_calls > 0 && <abbr title={unknown}> + ?</abbr>}
      <Text size="xs" c="dimmed">
        est. {money(run.estimate_micro)}
      </Text>
    </>
  );
}

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

function Started({ run }: { run: RunSummary }) {
  const now = useNow();
  if (!run.started_at) {
    return (
      <>
        not yet
        <Text size="xs" c="dimmed">
          asked <When at={run.planned_at} />
        </Text>
      </>
    );
  }
  const end = run.ended_at ? Date.parse(run.ended_at) : now;
  return (
    <>
      <When at={run.started_at} />
      <Text size="xs" c="dimmed">
        for {duration((end - Date.parse(run.started_at)) / 1000)}
      </Text>
    </>
  );
}
