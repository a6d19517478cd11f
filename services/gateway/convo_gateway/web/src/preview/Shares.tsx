import { NativeSelect, Table, Text } from "@mantine/core";
import type { CSSProperties } from "react";
import { useState } from "react";
import type { PlannedDimension, Preview } from "../api";
import { brief, count, percent, plural } from "../format";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { ShareColumns } from "../parts/ShareBars";
import { TableBox } from "../parts/TableBox";

/** What the mix asks for beside what the plan has of it, value by value. */
export function Shares({ preview }: { preview: Preview }) {
  const [chosen, setChosen] = useState("");
  const dimension =
    preview.dimensions.find((one) => one.dimension === chosen) ?? preview.dimensions[0];
  if (dimension === undefined) return null;
  const shares = preview.shares.filter((share) => share.dimension === dimension.dimension);
  const top = Math.max(...shares.map((share) => Math.max(share.share, share.share_wanted)), 1e-9);
  return (
    <Section
      title="Shares"
      beside={
        <NativeSelect
          size="xs"
          aria-label="Shares of"
          value={dimension.dimension}
          data={preview.dimensions.map((one) => ({
            value: one.dimension,
            label: wordsOf(one.dimension),
          }))}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {coverage(dimension, preview.population)} The line in a bar is what the mix asks for.
      </Text>
      <div className="shares-box">
        <TableBox label={`Shares of ${wordsOf(dimension.dimension)}`}>
          <Table verticalSpacing={4} className="shares">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Value</Table.Th>
                <Table.Th ta="right">Planned</Table.Th>
                <Table.Th ta="right">Share</Table.Th>
                <Table.Th ta="right">Wanted</Table.Th>
                <Table.Th aria-hidden />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shares.map((share) => (
                <Table.Tr key={share.value}>
                  <Table.Td className="share-value">
                    <Plain text={share.value} />
                  </Table.Td>
                  <Table.Td ta="right">{quantity(share.count, dimension.exact)}</Table.Td>
                  <Table.Td ta="right">{fine(share.share)}</Table.Td>
                  <Table.Td ta="right">{fine(share.share_wanted)}</Table.Td>
                  <Table.Td aria-hidden>
                    <span
                      className="share-bar"
                      style={
                        {
                          "--is": share.share / top,
                          "--wanted": share.share_wanted / top,
                        } as CSSProperties
                      }
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableBox>
      </div>
    </Section>
  );
}

function coverage({ values, listed, exact }: PlannedDimension, population: number): string {
  const whole = `${exact ? "Counted" : "Expected"} over all ${plural(population, "conversation")}.`;
  return listed < values
    ? `${whole} The ${count(listed)} most frequent of ${count(values)} values.`
    : whole;
}

function wordsOf(dimension: string): string {
  if (dimension.startsWith("pool:")) return `pool ${dimension.slice(5)}`;
  return dimension === "roughen" ? "roughened" : dimension;
}

function quantity(value: number, exact: boolean): string {
  return exact ? count(value) : `about ${count(Math.round(value))}`;
}

function fine(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 2 : 1)}\u00a0%`;
}

/** How many conversations have how many turns. */
export function Lengths({ preview: { lengths, population } }: { preview: Preview }) {
  const guessed = lengths.some(({ exact }) => !exact);
  const mean = lengths.reduce((sum, { turns, count: n }) => sum + turns * n, 0) / population;
  const bars = lengths.map(({ turns, count: n, exact }) => ({
    name: String(turns),
    share: n / population,
    said: exact ? count(n) : `~${count(Math.round(n))}`,
    brief: exact ? brief(n) : `~${brief(Math.round(n))}`,
  }));
  const told = bars.slice(0, 20).map(({ name, said }) => `${name} turns ${said}`);
  return (
    <Section title="Lengths">
      <ShareColumns
        dimension="Turns"
        measure="Conversations"
        summary={`Conversations by number of turns: ${told.join(", ")}${bars.length > 20 ? " and more" : ""}`}
        bars={bars}
      />
      <Text size="sm" c="dimmed">
        {mean.toFixed(1)} turns on average
        {guessed && "; ~ is the expected number, exact to within a few"}
      </Text>
    </Section>
  );
}

/** How often the same persona, voice and pool values come together again. */
export function Collisions({ preview: { collisions, population } }: { preview: Preview }) {
  const { distinct, expected } = collisions;
  const share = expected / population;
  return (
    <Section title="Same draws">
      <p className="collisions">
        <strong>about {count(Math.round(expected))}</strong> of {count(population)} conversations (
        {percent(share)}) are expected to repeat persona, voice and pool values of an earlier one.
      </p>
      <Text size="sm" c="dimmed">
        There are {count(distinct)} different draws.{" "}
        {share > 0.05
          ? "More personas, or pools with more values, make fewer of them alike."
          : "Even alike draws have seeds of their own."}
      </Text>
    </Section>
  );
}
