import { Table, Text } from "@mantine/core";
import type { BookedCall, Conversation } from "../api";
import { count, money, plural } from "../format";
import { TableBox } from "../parts/TableBox";

const WORDS: Record<string, string> = {
  exact: "",
  estimated: "tokens counted by convo",
  worst_case: "at most this; nobody knows",
  unpriced: "the model has no price",
  free: "cost nothing",
};

/** Every call that was booked for it, with what it used, cost and took. */
export function Calls({ of }: { of: Conversation }) {
  const { calls } = of;
  if (calls.length === 0) return <Text c="dimmed">No call was made.</Text>;
  return (
    <>
      <Text size="sm">
        {plural(calls.length, "call")}, cost{" "}
        <strong>
          {of.cost_micro === 0 && of.unknown_calls > 0 ? "unknown" : money(of.cost_micro)}
        </strong>
        {of.unknown_calls > 0 && ` known, ${plural(of.unknown_calls, "call")} of unknown cost`}
      </Text>
      <TableBox label="Calls">
        <Table verticalSpacing={5} horizontalSpacing={6} mt="xs" className="calls">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Step</Table.Th>
              <Table.Th>Role, model</Table.Th>
              <Table.Th ta="right">Tokens in / out</Table.Th>
              <Table.Th ta="right">Cost</Table.Th>
              <Table.Th ta="right">Took</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {calls.map((call) => (
              <Row key={`${call.step} ${call.attempt}`} call={call} />
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
    </>
  );
}

function Row({ call }: { call: BookedCall }) {
  const { step, attempt, role, model, state, tokens, basis } = call;
  return (
    <Table.Tr>
      <Table.Td>
        {step}
        {attempt > 1 && (
          <Text size="xs" c="dimmed">
            attempt {attempt}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {role}
        <Text size="xs" c="dimmed">
          {model}
        </Text>
        {state !== "finished" && (
          <Text size="xs" className="warn">
            {state}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {tokens ? `${count(tokens.input)} / ${count(tokens.output)}` : "–"}
        {tokens && tokens.cached > 0 && (
          <Text size="xs" c="dimmed">
            {count(tokens.cached)} cached
          </Text>
        )}
        {tokens && tokens.cache_write > 0 && (
          <Text size="xs" c="dimmed">
            {count(tokens.cache_write)} to the cache
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {cost(call)}
        {call.provider_cost_micro !== null && call.provider_cost_micro !== call.cost_micro && (
          <Text size="xs" c="dimmed">
            provider: {money(call.provider_cost_micro)}
          </Text>
        )}
        {basis && WORDS[basis] && (
          <Text size="xs" c="dimmed">
            {WORDS[basis]}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{took(call.latency_ms)}</Table.Td>
    </Table.Tr>
  );
}

function cost({ state, basis, cost_micro, worst_micro }: BookedCall): string {
  if (state === "started") return "not yet known";
  if (basis === "worst_case") return `up to ${money(cost_micro ?? worst_micro)}`;
  return money(cost_micro);
}

function took(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${count(ms)}\u00a0ms` : `${(ms / 1_000).toFixed(2)}\u00a0s`;
}
