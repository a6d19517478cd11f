import { Button, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { MessagesSquare } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { Counted, Stage } from "../api";
import { count } from "../format";
import { Section } from "../parts/Section";
import { TableBox } from "../parts/TableBox";

const NAMES: Record<Stage["stage"], string> = {
  generate: "Generate",
  roughen: "Roughen",
  filter: "Filter",
  judge: "Judge",
  memory: "Memory",
};

interface Props {
  run: string;
  stages: Stage[];
  isFinal: boolean;
  /** Whether conversations are read and not made. */
  reads: boolean;
}

/** Where the steps of the run are now, and the way to what came out. */
export const Pipeline = memo(function Pipeline({ run, stages, isFinal, reads }: Props) {
  const measured = stages.some(({ latency }) => latency !== null);
  return (
    <Section title="Pipeline">
      <TableBox label="Pipeline">
        <Table verticalSpacing={5} className="pipeline">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Stage</Table.Th>
              <Table.Th ta="right">Queued</Table.Th>
              <Table.Th ta="right">In flight</Table.Th>
              <Table.Th ta="right">Done</Table.Th>
              <Table.Th ta="right">p50, p95</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {stages.map((stage) => (
              <Row
                key={stage.stage}
                stage={stage}
                name={reads && stage.stage === "generate" ? "Read" : NAMES[stage.stage]}
                isFinal={isFinal}
              />
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
      <Text size="xs" c="dimmed" mt="xs">
        {measured && "Times are of calls, over the 100 conversations that changed last. "}
        The filters make no calls, and nobody measures them per run.
      </Text>
      <Button
        mt="md"
        variant="light"
        renderRoot={(props) => <Link to="/corpus" search={{ run: [run] }} {...props} />}
        leftSection={<MessagesSquare size={16} aria-hidden />}
      >
        Browse conversations
      </Button>
    </Section>
  );
});

function Row(props: { stage: Stage; name: string; isFinal: boolean }) {
  const { stage, name, isFinal } = props;
  const { queued, in_flight, deferred, done, failed, latency } = stage;
  const now = (counted: Counted) => (isFinal && counted.value === 0 ? "–" : count(counted.value));
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td ta="right">
        {now(queued)}
        {deferred.value > 0 && <Small>{count(deferred.value)} put off</Small>}
      </Table.Td>
      <Table.Td ta="right">{stage.stage === "filter" ? "–" : now(in_flight)}</Table.Td>
      <Table.Td ta="right">
        {done ? count(done.value) : "–"}
        {done && <Small>{done.unit}</Small>}
        {failed !== null && failed.value > 0 && <Small>{count(failed.value)} failed</Small>}
      </Table.Td>
      <Table.Td ta="right">
        {latency ? lasted(latency.p50_ms) : "–"}
        {latency && <Small>p95 {lasted(latency.p95_ms)}</Small>}
      </Table.Td>
    </Table.Tr>
  );
}

function Small({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  );
}

function lasted(ms: number): string {
  return ms < 1000
    ? `${Math.round(ms)}\u00a0ms`
    : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)}\u00a0s`;
}
