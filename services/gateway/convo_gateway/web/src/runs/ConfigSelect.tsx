import { Group, type OptionsFilter, Select, Text } from "@mantine/core";
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
      filter={configs.length > 0 ? NAMED : NONE_YET}
      searchable
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
    />
  );
}

/** Options with the words in their name. A list without options is none to those who hear it, so nothing is one too. */
function orSay(nothing: string): OptionsFilter {
  return ({ options, search }) => {
    const words = search.trim().toLowerCase();
    const found = options.filter(
      (option) => "label" in option && option.label.toLowerCase().includes(words),
    );
    return found.length > 0 ? found : [{ value: "", label: nothing, disabled: true }];
  };
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
