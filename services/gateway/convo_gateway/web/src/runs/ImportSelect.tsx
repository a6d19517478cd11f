import { Group, Select, Text } from "@mantine/core";
import type { ImportShown } from "../api";
import { count, plural, relative } from "../format";
import { useNow } from "../now";
import { orSay, useTyped } from "./options";

interface Props {
  imports: ImportShown[];
  loading: boolean;
  /** Id of the one that is chosen. */
  value: string;
  error: string | undefined;
  onChange: (id: string) => void;
}

/** Imports that a run can read, newest first, each with the conversations that it has. */
export function ImportSelect({ imports, loading, value, error, onChange }: Props) {
  const byId = new Map(imports.map((one) => [one.id, one]));
  const chosen = byId.get(value);
  const typed = useTyped((id) => byId.get(id)?.name ?? "");
  return (
    <Select
      {...typed}
      label="Import"
      description={chosen ? `${plural(chosen.taken, "conversation")}` : "The file that is read"}
      placeholder={loading ? "Loading" : "Choose one"}
      filter={imports.length > 0 ? NAMED : NONE_YET}
      searchable
      allowDeselect={false}
      value={value || null}
      error={error}
      data={imports.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => onChange(id ?? "")}
      renderOption={({ option }) => {
        const one = byId.get(option.value);
        return one === undefined ? option.label : <Option of={one} />;
      }}
      comboboxProps={{ shadow: "md" }}
    />
  );
}

const NAMED = orSay("None of that name");
const NONE_YET = orSay("No import is ready. Bring a file in on Imports");

function Option({ of: { name, taken, created_at: at } }: { of: ImportShown }) {
  const now = useNow();
  return (
    <Group justify="space-between" w="100%" gap="xs">
      <Text size="sm" fw={600} className="option-name">
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {count(taken)} conversations, sent {relative(at, now)}
      </Text>
    </Group>
  );
}
