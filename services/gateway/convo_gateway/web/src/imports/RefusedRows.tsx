import { Button, Table, Text } from "@mantine/core";
import type { RefusedRow } from "../api";
import { count } from "../format";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { Failed, Loading } from "../parts/states";
import { TableBox } from "../parts/TableBox";
import { useRefusedRows } from "./useImports";
import { shownWords } from "./words";

/** Each refused row with its place and what is wrong with it, as many as are kept. */
export function RefusedRows({ source, refused }: { source: string; refused: number }) {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useRefusedRows(source, refused);
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const last = data?.pages.at(-1);
  return (
    <Section title="Refused rows">
      {isPending && <Loading what="refused rows" />}
      {error && <Failed error={error} what="Refused rows" onRetry={() => void refetch()} />}
      {last && rows.length > 0 && (
        <>
          <TableBox label="Refused rows">
            <Rows rows={rows} />
          </TableBox>
          <Text size="sm" c="dimmed" mt="xs" role="status">
            {shownWords(rows.length, last.kept, last.of)}
          </Text>
        </>
      )}
      {hasNextPage && (
        <Button
          mt="xs"
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          More rows
        </Button>
      )}
    </Section>
  );
}

function Rows({ rows }: { rows: RefusedRow[] }) {
  return (
    <Table verticalSpacing={4} className="import-table">
      <Table.Thead>
        <Table.Tr>
          <Table.Th ta="right">Row</Table.Th>
          <Table.Th>Reason</Table.Th>
          <Table.Th>Where</Table.Th>
          <Table.Th>What is wrong</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ row, code, pointer, message }) => (
          <Table.Tr key={row}>
            <Table.Th scope="row" ta="right">
              {count(row)}
            </Table.Th>
            <Table.Td>
              <code>{code}</code>
            </Table.Td>
            <Table.Td>
              {pointer ? (
                <code>
                  <Plain text={pointer} />
                </code>
              ) : (
                "the whole row"
              )}
            </Table.Td>
            <Table.Td className="import-message">
              <Plain text={message} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
