import { Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { count, plural } from "../../format";
import { Plain } from "../../parts/Plain";
import { Section } from "../../parts/Section";
import { TableBox } from "../../parts/TableBox";
import { WORDS } from "../kinds";
import type { BulkAnswer, TableKind } from "./files";

/** What a table did, or would do; and what is wrong with its rows. */
export function BulkResult(props: { kind: TableKind; answer: BulkAnswer; skipBad: boolean }) {
  const { kind, answer, skipBad } = props;
  const { rows, created, updated, unchanged, errors, errors_total: wrong, written } = answer;
  return (
    <>
      <Section title={written ? "Written" : "What would be written"}>
        <p role="status">
          {plural(rows, "row")}: {plural(created, "new object")}, {plural(updated, "new version")},{" "}
          {count(unchanged)} unchanged
          {wrong > 0 && `; ${plural(wrong, "error")}`}
        </p>
        {wrong > 0 && !written && !skipBad && (
          <p className="warn">
            Nothing is written while a row is wrong. Put them right, or leave them out.
          </p>
        )}
        {written && (
          <Link to="/catalog/$kind" params={{ kind }} className="text-link">
            See the {WORDS[kind].many.toLowerCase()}
          </Link>
        )}
      </Section>
      {errors.length > 0 && (
        <Section title="Rows that are wrong">
          <div className="changes-table">
            <TableBox label="Rows that are wrong">
              <Table verticalSpacing={3}>
                <Table.Thead>
                  <Table.Tr>
                    {["Line", "Column", "What is wrong"].map((name) => (
                      <Table.Th key={name}>{name}</Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {errors.map(({ row, column, message }) => (
                    <Table.Tr key={`${row} ${column} ${message}`}>
                      <Table.Td>{count(row)}</Table.Td>
                      <Table.Td>{column}</Table.Td>
                      <Table.Td>
                        <Plain text={message} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </TableBox>
          </div>
          {wrong > errors.length && (
            <p className="minor">
              The first {count(errors.length)} of {count(wrong)}.
            </p>
          )}
        </Section>
      )}
    </>
  );
}
