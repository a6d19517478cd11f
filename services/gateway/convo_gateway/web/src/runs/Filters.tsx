import { Button, Group, NativeSelect, Select, Text } from "@mantine/core";
import { X } from "lucide-react";
import type { RunPage } from "../api";
import { count, plural } from "../format";
import { SearchField } from "../parts/SearchField";
import { DayFilter } from "./DayFilter";
import {
  isFiltered,
  NEWEST_FIRST,
  NO_FILTER,
  type RunStatus,
  type RunsSearch,
  SORTS,
  type Sort,
  STATUSES,
} from "./search";

interface Props {
  search: RunsSearch;
  page: RunPage | undefined;
  onChange: (part: RunsSearch, replace?: boolean) => void;
}

const SORT_WORDS: Record<Sort, string> = {
  "-started": "Newest first",
  started: "Oldest first",
  name: "Name, A to Z",
  "-name": "Name, Z to A",
  "-target": "Largest target",
  target: "Smallest target",
  "-accepted": "Most accepted",
  accepted: "Fewest accepted",
  "-cost": "Most expensive",
  cost: "Cheapest",
};

/** What the list is narrowed to, with how many runs each choice has. */
export function Filters({ search, page, onChange }: Props) {
  const filtered = isFiltered(search);
  const configs = Object.entries(page?.configs ?? {}).sort(([a], [b]) => a.localeCompare(b));
  return (
    <Group gap="sm" align="center" className="filters">
      <SearchField
        label="Search runs by name or id"
        placeholder="Name or id"
        q={search.q ?? ""}
        onChange={(q) => onChange({ q: q || undefined }, true)}
      />
      <Select
        aria-label="Config"
        placeholder="Every config"
        clearable
        searchable
        value={search.config ?? null}
        data={configs.map(([name, n]) => ({ value: name, label: `${name} (${count(n)})` }))}
        onChange={(config) => onChange({ config: config ?? undefined })}
        w={{ base: "100%", xs: 210 }}
      />
      <DayFilter days={{ from: search.from, to: search.to }} onChange={onChange} />
      <NativeSelect
        aria-label="Sort by"
        hiddenFrom="sm"
        value={search.sort ?? NEWEST_FIRST}
        data={SORTS.map((sort) => ({ value: sort, label: SORT_WORDS[sort] }))}
        onChange={({ currentTarget }) => {
          const sort = currentTarget.value as Sort;
          onChange({ sort: sort === NEWEST_FIRST ? undefined : sort });
        }}
        w="100%"
      />
      <Statuses chosen={search.status ?? []} counts={page?.statuses ?? {}} onChange={onChange} />
      <Text size="sm" c="dimmed" role="status" className="matches">
        {page && matches(page, filtered)}
      </Text>
      {filtered && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<X size={14} aria-hidden />}
          onClick={() => onChange(NO_FILTER)}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}

function matches({ total, statuses }: RunPage, filtered: boolean): string {
  const whole = Object.values(statuses).reduce((sum, n) => sum + n, 0);
  if (whole > total) return `${count(total)} of ${plural(whole, "run")}`;
  return filtered ? `${plural(total, "run")} match` : plural(total, "run");
}

function Statuses(props: {
  chosen: RunStatus[];
  counts: Partial<Record<RunStatus, number>>;
  onChange: (part: RunsSearch) => void;
}) {
  const { chosen, counts, onChange } = props;
  const shown = STATUSES.filter((status) => counts[status] || chosen.includes(status));
  const toggle = (status: RunStatus) => {
    const next = chosen.includes(status) ? chosen.filter((s) => s !== status) : [...chosen, status];
    onChange({ status: next.length > 0 ? next : undefined });
  };
  return (
    <fieldset className="chips">
      <legend>Status</legend>
      {shown.map((status) => (
        <button
          key={status}
          type="button"
          className="chip"
          aria-pressed={chosen.includes(status)}
          onClick={() => toggle(status)}
        >
          {status} <span className="chip-count">{count(counts[status] ?? 0)}</span>
        </button>
      ))}
    </fieldset>
  );
}
