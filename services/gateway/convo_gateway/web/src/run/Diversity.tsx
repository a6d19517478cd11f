import { Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { memo, useMemo } from "react";
import type UPlot from "uplot";
import { type DiversityNow, getDiversity } from "../api";
import { count, DASH } from "../format";
import { Chart } from "../parts/Chart";
import { Section } from "../parts/Section";
import { DISTRIBUTIONS } from "./distributions";

const REREAD_MS = 30_000;
const HEIGHT = 86;

interface Props {
  run: string;
  now: DiversityNow;
  isLive: boolean;
}

/** Distinct-3 over the last 100 accepted conversations, and how it went. */
export const Diversity = memo(function Diversity({ run, now, isLive }: Props) {
  const { distinct3: value, floor } = now;
  const below = now.below_floor === true;
  return (
    <Section title="Diversity">
      <Group gap="sm" align="baseline">
        <span className="big-number" data-bad={below || undefined}>
          {below && <TriangleAlert size={20} aria-hidden />}
          {typeof value === "number" ? value.toFixed(3) : DASH}
        </span>
        {below && <strong className="bad">below floor</strong>}
        <Text size="sm" c="dimmed">
          distinct-3 over the last 100 accepted
        </Text>
      </Group>
      <Text size="sm">
        {now.conversations.value < 100 ? (
          <>
            {count(now.conversations.value)} of 100 conversations
            {value !== null && "; the value falls as the window fills"}
          </>
        ) : (
          "100 of 100 conversations"
        )}
        {typeof floor === "number" && `, floor ${floor.toFixed(3)}${thenWords(now)}`}
      </Text>
      <Spark run={run} isLive={isLive} />
      <Text size="sm">
        <a href={`#${DISTRIBUTIONS}`} className="to-distributions">
          Turn lengths, first words, self-similarity
        </a>
      </Text>
    </Section>
  );
});

/** What the run does under its floor; nothing where it only shows it. */
function thenWords({ then }: DiversityNow): string {
  if (then === "show") return "";
  return then === "pause" ? " (under it the run pauses)" : " (under it the run stops)";
}

function Spark({ run, isLive }: { run: string; isLive: boolean }) {
  const { data } = useQuery({
    queryKey: ["run", run, "diversity"],
    queryFn: async ({ signal }) =>
      (await getDiversity({ path: { run }, signal, throwOnError: true })).data,
    refetchInterval: isLive ? REREAD_MS : false,
  });
  const drawing = useMemo(() => {
    const points = data?.points ?? [];
    const values = points.map(({ distinct3 }) => distinct3);
    const floors = points.map(() => data?.floor ?? null);
    return [points.map(({ accepted }) => accepted), values, floors] satisfies UPlot.AlignedData;
  }, [data]);
  const points = data?.points ?? [];
  if (points.length < 2) return null;
  const values = points.map(({ distinct3 }) => distinct3);
  const [low, high, last] = [Math.min(...values), Math.max(...values), values.at(-1) ?? 0];
  return (
    <Chart
      height={HEIGHT}
      data={drawing}
      options={spark}
      summary={`Distinct-3 from ${low.toFixed(3)} to ${high.toFixed(3)}, ${last.toFixed(3)} at the end${
        typeof data?.floor === "number" ? `; the floor is ${data.floor.toFixed(3)}` : ""
      }`}
      table={() => (
        <Table verticalSpacing={3}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Accepted</Table.Th>
              <Table.Th>Distinct-3</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {points.map(({ accepted, distinct3 }) => (
              <Table.Tr key={accepted}>
                <Table.Td>{count(accepted)}</Table.Td>
                <Table.Td>{distinct3.toFixed(3)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    />
  );
}

function spark(ink: string): Omit<UPlot.Options, "width" | "height"> {
  const axis = { stroke: ink, font: "11px system-ui", ticks: { show: false } };
  return {
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false } },
    axes: [
      {
        ...axis,
        size: 20,
        grid: { show: false },
        space: 60,
        incrs: [1, 2, 5, 10, 20, 50, 100, 1000],
      },
      { ...axis, size: 44, space: 26, grid: { stroke: "#8884", width: 1 } },
    ],
    series: [
      {},
      { stroke: "#4263eb", width: 2, points: { show: false } },
      { stroke: "#e03131", width: 1.5, dash: [6, 4], points: { show: false } },
    ],
  };
}
