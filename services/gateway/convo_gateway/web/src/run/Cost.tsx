import { Table, Text } from "@mantine/core";
import { memo } from "react";
import type { RunCost } from "../api";
import { count, money, percent } from "../format";
import { Section } from "../parts/Section";
import { TableBox } from "../parts/TableBox";
import { avoidedSaid, known, off, projected, providers, rows, unknown } from "./money";

interface Props {
  cost: RunCost;
  target: number;
  open: number;
  isFinal: boolean;
}

/** What was spent beside the estimate, by role, and what nobody knows. */
export const Cost = memo(function Cost({ cost, target, open, isFinal }: Props) {
  const { total, estimate_micro: estimate, spend_cap_micro: cap } = cost;
  const spent = total.known_micro;
  const told = providers(total);
  const final = projected({ target, open, cost_micro: spent });
  return (
    <Section title="Cost">
      <dl className="facts cost-facts">
        <Fact name="Spent">
          <span className="big-number">{known(total)}</span>
        </Fact>
        <Fact name="Estimate at the start">{money(estimate)}</Fact>
        {!isFinal && <Fact name="Projected final">{final ? `about ${money(final)}` : "–"}</Fact>}
        {typeof cost.estimate_error === "number" && (
          <Fact name="Estimate was">{off(cost.estimate_error)}</Fact>
        )}
        {typeof cap === "number" && (
          <Fact name="Spend cap">
            {money(cap)}
            {spent !== null && ` (${percent(spent / cap)} used)`}
          </Fact>
        )}
      </dl>
      {unknown(total).map((said) => (
        <Text key={said} size="sm" className="warn" mt={4}>
          {said}
        </Text>
      ))}
      {cost.avoided && (
        <Text size="sm" mt={4}>
          {avoidedSaid(cost.avoided)}
        </Text>
      )}
      {told && (
        <Text size="sm" c="dimmed" mt={4}>
          {told}
        </Text>
      )}
      {cost.roles.length > 0 && (
        <TableBox label="Cost by role">
          <Table verticalSpacing={4} mt="xs" className="costs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>For</Table.Th>
                <Table.Th ta="right">Calls</Table.Th>
                <Table.Th ta="right">Cost</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows(cost.roles).map(({ purpose, cost: of }) => (
                <Table.Tr key={`${of.role} ${of.backend} ${of.model}`}>
                  <Table.Td className="cost-for">
                    {purpose === of.role ? purpose : `${purpose}, ${of.role}`}
                    <Text size="xs" c="dimmed">
                      {of.model}; tokens {count(of.tokens.input)} in, {count(of.tokens.output)} out
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">
                    {count(of.calls)}
                    {of.failed_calls > 0 && (
                      <Text size="xs" c="dimmed">
                        {count(of.failed_calls)} failed
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td ta="right">
                    {known(of)}
                    {of.unknown_calls > 0 && of.unknown_micro > 0 && (
                      <Text size="xs" className="warn">
                        + up to {money(of.unknown_micro)}
                      </Text>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableBox>
      )}
    </Section>
  );
});

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
