/** Fields that choose: one of some words, some of them, yes or no. */
import { Checkbox, Group, NativeSelect, Switch } from "@mantine/core";
import { useField } from "./form";

export interface Choice {
  value: string;
  label: string;
}

interface SelectProps {
  at: string;
  label: string;
  help?: string;
  choices: readonly Choice[];
  /** What it is where nothing is written. */
  otherwise: string;
}

export function SelectField({ at, label, help, choices, otherwise }: SelectProps) {
  const field = useField(at);
  return (
    <NativeSelect
      id={field.id}
      label={label}
      description={field.help ?? help}
      data={[...choices]}
      value={typeof field.value === "string" ? field.value : otherwise}
      error={field.error}
      onChange={({ currentTarget }) => field.set(currentTarget.value)}
    />
  );
}

export function SwitchField(props: { at: string; label: string; otherwise: boolean }) {
  const field = useField(props.at);
  return (
    <Switch
      id={field.id}
      label={props.label}
      description={field.help}
      checked={typeof field.value === "boolean" ? field.value : props.otherwise}
      error={field.error}
      onChange={({ currentTarget }) => field.set(currentTarget.checked)}
    />
  );
}

/** Some of a few words, as a list in their order. */
export function SomeField(props: {
  at: string;
  label: string;
  words: readonly string[];
  onChange?: (chosen: string[]) => void;
}) {
  const { at, label, words, onChange } = props;
  const field = useField(at, true);
  const chosen = Array.isArray(field.value) ? field.value.map(String) : [];
  return (
    <Checkbox.Group
      id={field.id}
      tabIndex={-1}
      label={label}
      description={field.help}
      value={chosen}
      error={field.error}
      onChange={(next) => {
        const ordered = words.filter((word) => next.includes(word));
        field.set(ordered);
        onChange?.(ordered);
      }}
    >
      <Group gap="md" my={6}>
        {words.map((word) => (
          <Checkbox key={word} value={word} label={word} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
