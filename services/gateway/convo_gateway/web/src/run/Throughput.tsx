import { SegmentedControl, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { memo, useMemo, useState } from "react";
import UPlot from "uplot";
import { listMinutes, type Minute } from "../api";
import { count } from "../format";
import { Chart } from "../parts/Chart";
import { Section } from "../parts/Section";
import { filled, inWords, type Series, type Span, stacked } from "./series";

const REREAD_MS = 10_000;
const FEWEST = 12;
const NONE: Minute[] = [];

/** Verdicts a minute. */
export const Throughput = memo(function Throughput(props: { run: string; isLive: boolean }) {
  const { run, isLive } = props;
  const [span, setSpan] = useState<Span>("hour");
  const { data } = useQuery({
    queryKey: ["run", run, "minutes"],
    queryFn: async ({ signal }) =>
      (await listMinutes({ path: { run }, signal, throwOnError: true })).data.items,
    refetchInterval: isLive ? REREAD_MS : false,
  });
  const series = useMemo(() => filled(data ?? NONE, span), [data, span]);
  const drawing = useMemo(() => {
    const [good = [], withRejects = [], whole = []] = stacked([
      series.accepted,
      series.rejected,
      series.failed,
    ]);
    return [atLeast(series.at), whole, withRejects, good] satisfies UPlot.AlignedData;
  }, [series]);
  return (
    <Section
      title="Throughput"
      beside={
        <SegmentedControl
          size="xs"
          aria-label="Span of the chart"
          value={span}
          onChange={(value) => setSpan(value as Span)}
          data={[
            { value: "hour", label: "Last hour" },
            { value: "all", label: "Whole run" },
          ]}
        />
      }
    >
      {series.at.length === 0 ? (
        <Text c="dimmed">No verdict yet.</Text>
      ) : (
        <>
          <ul className="legend" aria-hidden>
            <li data-verdict="accepted">accepted</li>
            <li data-verdict="rejected">rejected</li>
            <li data-verdict="failed">failed</li>
            <li data-note>times in UTC</li>
          </ul>
          <Chart
            height={170}
            data={drawing}
            options={bars}
            summary={`Verdicts by minute (UTC): ${inWords(series)}`}
            table={() => <AsTable series={series} />}
          />
        </>
      )}
    </Section>
  );
});

function AsTable({ series }: { series: Series }) {
  return (
    <Table verticalSpacing={3}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Minute (UTC)</Table.Th>
          <Table.Th ta="right">Accepted</Table.Th>
          <Table.Th ta="right">Rejected</Table.Th>
          <Table.Th ta="right">Failed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {series.at.map((at, i) => (
          <Table.Tr key={at}>
            <Table.Td>{new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ")}</Table.Td>
            <Table.Td ta="right">{count(series.accepted[i] ?? 0)}</Table.Td>
            <Table.Td ta="right">{count(series.rejected[i] ?? 0)}</Table.Td>
            <Table.Td ta="right">{count(series.failed[i] ?? 0)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Bars of a few minutes are not to fill the whole width. */
function atLeast(at: number[]): number[] {
  const last = at.at(-1) ?? 0;
  const missing = Math.max(0, FEWEST - at.length);
  return [...at, ...Array.from({ length: missing }, (_, i) => last + (i + 1) * 60)];
}

function clock(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16);
}

const BARS = UPlot.paths.bars?.({ size: [0.82, 44], align: 1 });

function bars(ink: string): Omit<UPlot.Options, "width" | "height"> {
  const axis = { stroke: ink, font: "11px system-ui", ticks: { show: false } };
  const bar = (fill: string) => ({
    fill,
    stroke: ink,
    width: 1,
    points: { show: false },
    ...(BARS ? { paths: BARS } : {}),
  });
  return {
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_, low, high) => [low - 20, high + 80] },
      y: { range: (_, __, high) => [0, Math.max(1, high * 1.1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 22, values: (_, at) => at.map(clock) },
      { ...axis, size: 44, grid: { stroke: "#8884", width: 1 } },
    ],
    series: [{}, bar("#b3261e"), bar("#ffc23d"), bar("#1a7f4b")],
  };
}
