import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { CatalogEntry } from "../api";
import { count, DASH, plural } from "../format";
import type { Column } from "../parts/DataGrid";
import { Plain } from "../parts/Plain";
import { When } from "../parts/When";
import type { Kind } from "./kinds";

/** The columns of a list; `used` says how many run configs name an object. */
export function columnsOf(
  kind: Kind,
  used: Map<string, number> | null | undefined,
): Column<CatalogEntry>[] {
  const name: Column<CatalogEntry> = {
    id: "name",
    name: "Name",
    width: 190,
    cell: (entry) => (
      <>
        <Link
          to="/catalog/$kind/$name"
          params={{ kind, name: entry.name }}
          className="row-link"
          tabIndex={-1}
        >
          {entry.name}
        </Link>
        <Text size="xs" c="dimmed" truncate title={summaryOf(kind, entry)}>
          <Plain text={summaryOf(kind, entry)} />
        </Text>
      </>
    ),
  };
  return [
    name,
    {
      id: "version",
      name: "Version",
      width: 70,
      number: true,
      cell: ({ version }) => `v${version}`,
    },
    {
      id: "changed",
      name: "Changed",
      width: 110,
      wide: true,
      cell: ({ created_at }) => <When at={created_at} />,
    },
    {
      id: "note",
      name: "Note",
      width: 200,
      wide: true,
      cell: ({ note }) => (
        <Text size="sm" c="dimmed" truncate title={note}>
          <Plain text={note} />
        </Text>
      ),
    },
    ...(kind === "run-configs" ? [] : [usedBy(kind, used)]),
  ];
}

function usedBy(kind: Kind, used: Map<string, number> | null | undefined): Column<CatalogEntry> {
  return {
    id: "used",
    name: "Used by",
    width: 100,
    wide: true,
    cell: (entry) => {
      if (!used) return DASH;
      const configs = used.get(`${kind}/${entry.name}`) ?? 0;
      return configs === 0 ? (
        <Text size="sm" c="dimmed">
          no config
        </Text>
      ) : (
        plural(configs, "config")
      );
    },
  };
}

/** What an object says of itself in one line. */
export function summaryOf(kind: Kind, { headline }: CatalogEntry): string {
  const words = (key: string) => String(headline[key] ?? "");
  switch (kind) {
    case "personas":
      return `${words("language")} · ${words("summary")}`;
    case "voices":
      return words("style");
    case "pools":
      return plural(Number(headline.values ?? 0), "value");
    case "filter-lists":
      return joined(
        plural(Number(headline.phrases ?? 0), "phrase"),
        plural(Number(headline.patterns ?? 0), "pattern"),
        words("description"),
      );
    case "backends":
      return joined(words("base_url"), listed(headline.models));
    case "prompt-sets":
      return joined(listed(headline.modes), words("description"));
    case "run-configs":
      return joined(
        words("mode"),
        `${count(Number(headline.target_count ?? 0))} conversations`,
        words("description"),
      );
  }
}

function joined(...parts: string[]): string {
  return parts.filter(Boolean).join(" · ");
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : "";
}
