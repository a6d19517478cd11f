import { Table, Text } from "@mantine/core";
import type { CSSProperties } from "react";
import type { RoleOpenings } from "../api";
import { count, percent } from "../format";
import { Plain } from "../parts/Plain";
import { TableBox } from "../parts/TableBox";
import { frequentOf, openingCount } from "./distributions";

/** How the first turns of a role begin, most frequent first. */
export function Openings({ of }: { of: RoleOpenings }) {
  const { role, conversations, phrases } = of;
  const frequent = frequentOf(phrases);
  return (
    <div className="spread">
      <h3>First words, {role}</h3>
      <Text size="sm" c="dimmed">
        First three words of the first {role} turn, in {count(conversations)} conversations
      </Text>
      {frequent.length === 0 ? (
        <Text mt="xs">No two conversations begin alike.</Text>
      ) : (
        <TableBox label={`First words of the ${role}`}>
          <Table verticalSpacing={3} className="openings">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>First words</Table.Th>
                <Table.Th ta="right">Count</Table.Th>
                <Table.Th ta="right">Share</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {frequent.map((one) => {
                const share = Math.min(1, one.at_most / conversations);
                return (
                  <Table.Tr key={one.phrase}>
                    <Table.Td
                      className="opening"
                      style={{ "--share": share } as CSSProperties}
                      dir="auto"
                    >
                      <Plain text={one.phrase} />
                    </Table.Td>
                    <Table.Td ta="right">{openingCount(one)}</Table.Td>
                    <Table.Td ta="right">{percent(share)}</Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </TableBox>
      )}
    </div>
  );
}
