/** Which columns are shown, and how close the rows stand. */
import { Button, Checkbox, Popover, SegmentedControl, Stack, Text } from "@mantine/core";
import { Columns3 } from "lucide-react";
import { COLUMNS, columnsOf, USUAL } from "./columns";
import type { CorpusSearch } from "./search";

interface Props {
  search: CorpusSearch;
  onChange: (part: CorpusSearch) => void;
}

export function Looks({ search, onChange }: Props) {
  const shown = columnsOf(search.cols).map(({ id }) => id);
  const choose = (id: string) => {
    const wanted = new Set(shown);
    if (!wanted.delete(id)) wanted.add(id);
    const cols = COLUMNS.map((column) => column.id).filter((column) => wanted.has(column));
    const isUsual = cols.length === USUAL.length && cols.every((column) => USUAL.includes(column));
    onChange({ cols: isUsual ? undefined : cols });
  };
  return (
    <Popover position="bottom-end" withinPortal trapFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns and density">
        <Stack gap={8}>
          {COLUMNS.map(({ id, name }, at) => (
            <Checkbox
              key={id}
              label={name}
              checked={shown.includes(id)}
              disabled={at === 0}
              onChange={() => choose(id)}
            />
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={search.cols === undefined}
            onClick={() => onChange({ cols: undefined })}
          >
            Usual columns
          </Button>
          <Text size="sm" id="density">
            Rows
          </Text>
          <SegmentedControl
            aria-labelledby="density"
            value={search.density ?? "comfortable"}
            data={[
              { value: "comfortable", label: "Comfortable" },
              { value: "compact", label: "Compact" },
            ]}
            onChange={(value) => onChange({ density: value === "compact" ? value : undefined })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
