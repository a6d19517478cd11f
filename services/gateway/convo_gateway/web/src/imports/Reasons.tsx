import { Table } from "@mantine/core";
import type { Refusals } from "../api";
import { count, percent } from "../format";
import { Section } from "../parts/Section";
import { TableBox } from "../parts/TableBox";
import { reasonWords } from "./words";

/** Refused rows by reason, most first. */
export function Reasons({ refusals, refused }: { refusals: Refusals[]; refused: number }) {
  return (
    <Section title="Reasons">
      <TableBox label="Reasons">
        <Table verticalSpacing={4} className="import-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Reason</Table.Th>
              <Table.Th>Meaning</Table.Th>
              <Table.Th ta="right">Rows</Table.Th>
              <Table.Th ta="right">Of {count(refused)}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {refusals.map(({ code, n }) => (
              <Table.Tr key={code}>
                <Table.Th scope="row">
                  <code>{code}</code>
                </Table.Th>
                <Table.Td>{reasonWords(code)}</Table.Td>
                <Table.Td ta="right">{count(n)}</Table.Td>
                <Table.Td ta="right">{percent(n / refused)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
    </Section>
  );
}
