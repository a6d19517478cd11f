import { Group, Select, Text } from "@mantine/core";
import { count } from "../format";
import { orSay, useTyped } from "./options";
import type { ConfigHeadline } from "./start";

interface Props {
  configs: ConfigHeadline[];
  loading: boolean;
  value: string;
  error: string | undefined;
  /** Whether what is chosen reads an import. */
  reads: boolean;
  onChange: (config: string) => void;
}

/** Run configs by name, each with version, mode and target count. */
export function ConfigSelect({ configs, loading, value, error, reads, onChange }: Props) {
  const byName = new Map(configs.map((config) => [config.name, config]));
  const typed = useTyped((name) => name);
  return (
    <Select
      {...typed}
      label="Run config"
      description={reads ? "What they are held against" : "What the conversations are made from"}
      placeholder={loading ? "Loading" : "Choose one"}
      filter={configs.length > 0 ? NAMED : NONE_YET}
      searchable
      allowDeselect={false}
      openOnFocus={false}
      autoFocus
      value={value || null}
      error={error}
      data={configs.map(({ name }) => name)}
      onChange={(name) => onChange(name ?? "")}
      renderOption={({ option }) => {
        const config = byName.get(option.value);
        return config === undefined ? option.label : <Option config={config} />;
      }}
      comboboxProps={{ shadow: "md" }}
      // The list itself scrolls: a box around it could not be reached by keyboard.
      withScrollArea={false}
      styles={{ options: { maxHeight: 260, overflowY: "auto" } }}
    />
  );
}

const NAMED = orSay("None of that name");
const NONE_YET = orSay("There is no run config yet");

function Option({ config }: { config: ConfigHeadline }) {
  const { name, version, mode, target } = config;
  return (
    <Group justify="space-between" w="100%" gap="xs">
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        v{version}, {mode}, {count(target)} conversations
      </Text>
    </Group>
  );
}
