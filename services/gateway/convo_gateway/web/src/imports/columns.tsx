import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ImportShown } from "../api";
import { count } from "../format";
import type { Column } from "../parts/DataGrid";
import { Plain } from "../parts/Plain";
import { StatusBadge } from "../parts/StatusBadge";
import { When } from "../parts/When";
import { fileWords, takenWords } from "./words";

type Counted = "read" | "taken" | "refused" | "mended";

function numbered(id: Counted, name: string): Column<ImportShown> {
  const cell = (of: ImportShown) => count(of[id]);
  return { id, name, width: 86, number: true, wide: true, cell };
}

export const COLUMNS: Column<ImportShown>[] = [
  {
    id: "name",
    name: "File",
    width: 200,
    cell: (of) => (
      <>
        <Link to="/imports/$source" params={{ source: of.id }} className="row-link" tabIndex={-1}>
          <Plain text={of.name} />
        </Link>
        <Text size="xs" c="dimmed" truncate>
          {of.status === "broken" ? <Plain text={of.detail} /> : fileWords(of)}
        </Text>
        {of.read > 0 && (
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {takenWords(of)}
          </Text>
        )}
      </>
    ),
  },
  {
    id: "status",
    name: "Status",
    width: 104,
    cell: (of) => <StatusBadge status={of.status} />,
  },
  numbered("read", "Rows read"),
  numbered("taken", "Taken"),
  numbered("refused", "Refused"),
  numbered("mended", "Mended"),
  {
    id: "sent",
    name: "Sent",
    width: 100,
    wide: true,
    cell: (of) => <When at={of.created_at} />,
  },
];
