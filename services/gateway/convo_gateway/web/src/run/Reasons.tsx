import { Table, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { Fragment } from "react";
import type { ReasonCount } from "../api";
import { count, percent, plural } from "../format";
import { Section } from "../parts/Section";
import { TableBox } from "../parts/TableBox";
import { LAYERS } from "./layers";

/** Why conversations were rejected or failed, in precedence order. */
export function Reasons({ run, reasons }: { run: string; reasons: ReasonCount[] }) {
  const whole = reasons.reduce((sum, reason) => sum + reason.count, 0);
  return (
    <Section
      title="Reject reasons"
      beside={whole > 0 && <Text size="sm">{plural(whole, "conversation")}</Text>}
    >
      {reasons.length === 0 ? (
        <Text c="dimmed">No conversation was rejected or failed.</Text>
      ) : (
        <>
          <TableBox label="Reject reasons">
            <Table verticalSpacing={5} className="reasons">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Reason</Table.Th>
                  <Table.Th>Layer</Table.Th>
                  <Table.Th ta="right">Count</Table.Th>
                  <Table.Th ta="right">Share</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {reasons.map((reason) => (
                  <Row key={reason.reason} run={run} reason={reason} whole={whole} />
                ))}
              </Table.Tbody>
            </Table>
          </TableBox>
          <Text size="xs" c="dimmed" mt="xs">
            In precedence order: the first layer that says no is recorded. Layer 0 counts under
            Failed.
          </Text>
        </>
      )}
    </Section>
  );
}

/** A code that may go on in the next line after an underscore. */
function Code({ text }: { text: string }) {
  return text.split(/(?<=_)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one word
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ));
}

function Row({ run, reason, whole }: { run: string; reason: ReasonCount; whole: number }) {
  const navigate = useNavigate();
  const search = { run, reason: reason.reason };
  return (
    <Table.Tr
      className="clickable"
      onClick={({ target }) => {
        const onLink = target instanceof Element && target.closest("a");
        if (!onLink) void navigate({ to: "/corpus", search });
      }}
    >
      <Table.Td>
        <Link to="/corpus" search={search} className="row-link" data-row>
          <Code text={reason.reason} />
        </Link>
      </Table.Td>
      <Table.Td>
        {reason.layer} {LAYERS[reason.layer]}
      </Table.Td>
      <Table.Td ta="right">{count(reason.count)}</Table.Td>
      <Table.Td ta="right">{percent(reason.count / whole)}</Table.Td>
    </Table.Tr>
  );
}
