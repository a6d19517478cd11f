import { Group, Select, Text } from "@mantine/core";
import { count } from "../format";
import type { ConfigHeadline } from "./start";

interface Props {
  configs: ConfigHeadline[];
  loading: boolean;
  value: string;
  error: string | undefined;
  onChange: (config: string) => void;
}

/** Run configs by name, each with version, mode and target count. */
export function ConfigSelect({ configs, loading, value, error, onChange }: Props) {
  const byName = new Map(configs.map((config) => [config.name, config]));
  return (
    <Select
      label="Run config"
      description="What the conversations are made from"
      placeholder={loading ? "Loading" : "Choose one"}
      nothingFoundMessage={
        configs.length === 0 ? "There is no run config yet" : "None of that name"
      }
      searchable
      openOnFocus={false}
      autoFocus
      value={value || null}
      error={error}
      data={configs.map(({ name }) => name)}
      onChange={(name) => onChange(name ?? "")}
      renderOption={({ option }) => <Option config={byName.get(option.value)} />}
      comboboxProps={{ shadow: "md" }}
    />
  );
}

function Option({ config }: { config: ConfigHeadline | undefined }) {
  if (config === undefined) return null;
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
