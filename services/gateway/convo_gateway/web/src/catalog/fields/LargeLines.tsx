import { ActionIcon, Button, Group, Textarea } from "@mantine/core";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { LongList } from "../views/LongList";
import { valuesOf } from "./lines";

interface Props {
  id: string;
  label: string;
  one: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** A list that is too long for a text field: values are found, taken out and added. */
export function LargeLines({ id, label, one, values, onChange }: Props) {
  const [typed, setTyped] = useState("");
  const added = valuesOf(typed);
  return (
    <div id={id} tabIndex={-1} className="large-lines">
      <p className="minor">
        Too many for one text field: find {one}s and take them out, add more, or take all from a
        file.
      </p>
      <LongList
        label={label}
        values={values}
        action={(at) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Take ${one} ${at + 1} out`}
            onClick={() => onChange(values.filter((_, other) => other !== at))}
          >
            <Trash2 size={14} />
          </ActionIcon>
        )}
      />
      <Group gap="xs" align="flex-end" mt="xs">
        <Textarea
          label={`More ${one}s`}
          description="One a line; they come last"
          autosize
          minRows={1}
          maxRows={6}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          className="save-note"
        />
        <Button
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          aria-disabled={added.length === 0}
          onClick={() => {
            if (added.length === 0) return;
            onChange([...values, ...added]);
            setTyped("");
          }}
        >
          Add
        </Button>
      </Group>
    </div>
  );
}
