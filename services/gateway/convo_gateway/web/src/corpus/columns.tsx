/** Columns of the corpus: those that everybody sees, and those that one may choose. */
import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import type { ConversationSummary } from "../api";
import { count, DASH, money } from "../format";
import type { Column } from "../parts/DataGrid";
import { Plain } from "../parts/Plain";
import { StatusBadge } from "../parts/StatusBadge";
import { When } from "../parts/When";
import { wordOf } from "./facetWords";

type Of = ConversationSummary;

function text(id: string, name: string, width: number, value: (row: Of) => string): Column<Of> {
  const cell = (row: Of) => (
    <Text size="sm" truncate>
      {value(row) || DASH}
    </Text>
  );
  return { id, name, width, wide: true, cell };
}

function number(id: string, name: string, width: number, value: (row: Of) => string): Column<Of> {
  return { id, name, width, number: true, wide: true, cell: value };
}

const NAME: Column<Of> = {
  id: "name",
  name: "Conversation",
  width: 168,
  cell: ({ id, preview }) => (
    <>
      <Link
        to="/corpus/$conversation"
        params={{ conversation: id }}
        search={true}
        className="row-link"
        dir="auto"
        tabIndex={-1}
      >
        <Plain text={preview || id} />
      </Link>
      <Text size="xs" c="dimmed" truncate className="row-id">
        {id}
      </Text>
    </>
  ),
};

export const COLUMNS: readonly Column<Of>[] = [
  NAME,
  {
    id: "status",
    name: "Verdict",
    width: 106,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { ...text("reason", "Reason", 130, ({ reason }) => reason), wide: false },
  text("layer", "Layer", 96, ({ layer }) => (layer === null ? "" : wordOf("layer", String(layer)))),
  {
    id: "review",
    name: "Review",
    width: 96,
    wide: true,
    cell: ({ review, edited }) => (
      <span className="corpus-review">
        {review || DASH}
        {edited && <Pencil size={13} role="img" aria-label="edited" />}
      </span>
    ),
  },
  text("run", "Run", 150, ({ run }) => run),
  text("config", "Config", 110, ({ config }) => config),
  text("persona", "Persona", 96, ({ persona }) => persona),
  text("voice", "Voice", 90, ({ voice }) => voice),
  text("mode", "Mode", 84, ({ mode }) => mode),
  text("language", "Language", 78, ({ language }) => language),
  { ...number("turns", "Turns", 58, ({ turns }) => count(turns)), sortable: true },
  { ...number("words", "Words", 68, ({ words }) => count(words)), sortable: true },
  {
    ...number("score", "Score", 60, ({ score }) => score?.toFixed(2) ?? DASH),
    sortable: true,
  },
  { ...number("cost", "Cost", 76, cost), sortable: true },
  {
    id: "created",
    name: "Made",
    width: 84,
    wide: true,
    sortable: true,
    cell: ({ created_at }) => <When at={created_at} />,
  },
];

export const USUAL: readonly string[] = [
  "name",
  "status",
  "reason",
  "turns",
  "score",
  "cost",
  "created",
];

/** The chosen columns in their own order; the first one is always there. */
export function columnsOf(chosen: readonly string[] | undefined): Column<Of>[] {
  const shown = new Set(chosen ?? USUAL);
  return COLUMNS.filter(({ id }) => id === NAME.id || shown.has(id));
}

function cost({ cost_micro, unknown_calls }: Of): string {
  if (unknown_calls === 0) return money(cost_micro);
  return cost_micro === 0 ? "unknown" : `${money(cost_micro)} + ?`;
}
