import { Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Equal, PencilLine, Plus } from "lucide-react";
import { count, plural } from "../../format";
import { TableBox } from "../../parts/TableBox";
import { kindOf, WORDS } from "../kinds";
import type { FileChange } from "./files";

const LOOKS = {
  create: [Plus, "good", "new"],
  update: [PencilLine, "busy", "new version"],
  unchanged: [Equal, "calm", "unchanged"],
} as const;
const MOST = 300;

/** What becomes of each object of a file. */
export function ChangesTable({ changes }: { changes: FileChange[] }) {
  if (changes.length === 0) return <p>There is no object in it.</p>;
  const tally = (action: FileChange["action"]) =>
    changes.filter((change) => change.action === action).length;
  return (
    <>
      <p role="status">
        {plural(tally("create"), "new object")}, {plural(tally("update"), "new version")},{" "}
        {count(tally("unchanged"))} unchanged
      </p>
      <div className="changes-table">
        <TableBox label="Changes">
          <Table verticalSpacing={3}>
            <Table.Thead>
              <Table.Tr>
                {["What becomes of it", "Kind", "Name", "Version"].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.slice(0, MOST).map((change) => (
                <Row key={`${change.kind}/${change.name}`} change={change} />
              ))}
            </Table.Tbody>
          </Table>
        </TableBox>
      </div>
      {changes.length > MOST && <p className="minor">The first {count(MOST)} are shown.</p>}
    </>
  );
}

function Row({ change: { action, kind: word, name, version } }: { change: FileChange }) {
  const [Icon, tone, words] = LOOKS[action];
  const kind = kindOf(word);
  return (
    <Table.Tr>
      <Table.Td>
        <span className="status" data-tone={tone}>
          <Icon size={13} aria-hidden />
          {words}
        </span>
      </Table.Td>
      <Table.Td>{kind ? WORDS[kind].one : word}</Table.Td>
      <Table.Td>
        {kind ? (
          <Link to="/catalog/$kind/$name" params={{ kind, name }} className="text-link">
            {name}
          </Link>
        ) : (
          name
        )}
      </Table.Td>
      <Table.Td>v{version}</Table.Td>
    </Table.Tr>
  );
}
