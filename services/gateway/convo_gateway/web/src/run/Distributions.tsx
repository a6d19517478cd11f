import { SegmentedControl, SimpleGrid, Table, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { memo, useState } from "react";
import { type Distributions as Found, getDistributions } from "../api";
import { Section } from "../parts/Section";
import { ShareColumns } from "../parts/ShareBars";
import { Failed, Loading } from "../parts/states";
import { TableBox } from "../parts/TableBox";
import "./distributions.css";
import {
  DISTRIBUTIONS,
  distinctWords,
  gramWords,
  lengthBars,
  lengthWords,
  populationWords,
} from "./distributions";
import { Likeness } from "./Likeness";
import { Openings } from "./Openings";

const REREAD_MS = 30_000;

/** What accepted conversations have in common; read when somebody scrolls to it. */
export const Distributions = memo(function Distributions(props: { run: string; isLive: boolean }) {
  const { run, isLive } = props;
  const [over, setOver] = useState<Found["over"]>("last");
  const { ref, entry } = useIntersection({ rootMargin: "200px" });
  const near = entry?.isIntersecting === true;
  const { data, error, refetch } = useQuery({
    queryKey: ["run", run, "distributions", over],
    queryFn: async ({ signal }) =>
      (await getDistributions({ path: { run }, query: { over }, signal, throwOnError: true })).data,
    enabled: near,
    placeholderData: keepPreviousData,
    refetchInterval: isLive && near ? REREAD_MS : false,
  });
  return (
    <div id={DISTRIBUTIONS} ref={ref}>
      <Section
        title="Distributions"
        beside={
          <SegmentedControl
            size="xs"
            aria-label="Which accepted conversations"
            value={over}
            onChange={(value) => setOver(value as Found["over"])}
            data={[
              { value: "last", label: "Last 100" },
              { value: "all", label: "All" },
            ]}
          />
        }
      >
        {data ? (
          <Shown run={run} found={data} />
        ) : error ? (
          <Failed error={error} what="Distributions" onRetry={() => void refetch()} />
        ) : (
          <Loading what="distributions" />
        )}
      </Section>
    </div>
  );
});

function Shown({ run, found }: { run: string; found: Found }) {
  const { conversations, grams, lengths, openings } = found;
  if (conversations.value === 0) {
    const waits = (conversations.of ?? 0) > 0;
    return (
      <Text c="dimmed">
        {waits ? "Not counted yet; it follows the run." : "No accepted conversation yet."}
      </Text>
    );
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {populationWords(found)}
      </Text>
      <TableBox label="Different n-grams">
        <Table verticalSpacing={4} className="grams">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Distinct</Table.Th>
              <Table.Th ta="right">Value</Table.Th>
              <Table.Th>Word n-grams</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {grams.map((one) => (
              <Table.Tr key={one.n}>
                <Table.Th scope="row">Distinct-{one.n}</Table.Th>
                <Table.Td ta="right">{distinctWords(one)}</Table.Td>
                <Table.Td>{gramWords(one)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mt="md">
        {lengths.map((one) => (
          <div key={one.role} className="spread">
            <h3>Words a turn, {one.role}</h3>
            <Text size="sm" c="dimmed">
              {lengthWords(one)}
            </Text>
            {one.turns > 0 && (
              <ShareColumns
                summary={`Words a turn of the ${one.role}: ${lengthWords(one)}`}
                dimension="Words"
                measure="Turns"
                bars={lengthBars(one)}
              />
            )}
          </div>
        ))}
        {openings.map((one) => (
          <Openings key={one.role} of={one} />
        ))}
      </SimpleGrid>
      <Likeness run={run} found={found} />
    </>
  );
}
