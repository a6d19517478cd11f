import { Button, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import type { CatalogEntry } from "../../api";
import { Plain } from "../../parts/Plain";
import { TableBox } from "../../parts/TableBox";
import { When } from "../../parts/When";
import type { Kind } from "../kinds";
import type { VersionsSearch } from "../search";

interface Props {
  kind: Kind;
  name: string;
  versions: CatalogEntry[];
  from: number;
  to: number;
  onChoose: (part: VersionsSearch) => void;
  onRestore: (version: number) => void;
}

/** Versions, newest first; two are chosen by radio buttons. */
export function VersionsTable(props: Props) {
  return (
    <div className="versions">
      <TableBox label="Versions">
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              {["From", "To", "Version", "Written", "Note"].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
              <Table.Th>
                <span className="only-heard">Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {props.versions.map((entry, at) => (
              <Row key={entry.version} entry={entry} latest={at === 0} {...props} />
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
    </div>
  );
}

function Row({ entry, latest, ...props }: Props & { entry: CatalogEntry; latest: boolean }) {
  const { kind, name, onChoose, onRestore } = props;
  const { version, note, created_at } = entry;
  return (
    <Table.Tr>
      {(["from", "to"] as const).map((end) => (
        <Table.Td key={end}>
          <input
            type="radio"
            name={end}
            aria-label={`${end === "from" ? "From" : "To"} version ${version}`}
            checked={props[end] === version}
            onChange={() => onChoose({ [end]: String(version) })}
          />
        </Table.Td>
      ))}
      <Table.Td className="version-number">
        <Link
          to="/catalog/$kind/$name"
          params={{ kind, name }}
          search={{ version: latest ? undefined : String(version) }}
          className="text-link"
        >
          v{version}
        </Link>
        {latest && (
          <Text span size="xs" c="dimmed">
            latest
          </Text>
        )}
      </Table.Td>
      <Table.Td className="version-number">
        <When at={created_at} />
      </Table.Td>
      <Table.Td className="version-note" dir="auto">
        <Plain text={note} />
      </Table.Td>
      <Table.Td ta="right">
        {!latest && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<RotateCcw size={14} aria-hidden />}
            onClick={() => onRestore(version)}
            aria-label={`Restore version ${version}`}
          >
            Restore
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
