import { Button, Group, TextInput } from "@mantine/core";
import { Eye, Play, Save } from "lucide-react";
import { useState } from "react";
import type { Next } from "./useSave";

interface Props {
  /** Such as `Save version 3`. */
  label: string;
  saving: boolean;
  /** Whether there is a plan to look at. */
  previews: boolean;
  onSave: (note: string, next: Next) => void;
  onLeave: () => void;
}

/** The note, and the ways to save; in sight wherever one is in the form. */
export function SaveBar({ label, saving, previews, onSave, onLeave }: Props) {
  const [note, setNote] = useState("");
  return (
    <form
      className="config-save"
      aria-label="Save"
      id="save"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(note, "read");
      }}
    >
      <TextInput
        aria-label="Note"
        placeholder="Note: what changed, and why"
        maxLength={500}
        dir="auto"
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <Group gap={6}>
        <Button px="sm" type="submit" loading={saving} leftSection={<Save size={16} aria-hidden />}>
          {label}
        </Button>
        {previews && (
          <Button
            px="sm"
            variant="default"
            disabled={saving}
            leftSection={<Eye size={16} aria-hidden />}
            onClick={() => onSave(note, "preview")}
          >
            Save and preview
          </Button>
        )}
        <Button
          px="sm"
          variant="default"
          disabled={saving}
          leftSection={<Play size={16} aria-hidden />}
          onClick={() => onSave(note, "start")}
        >
          Save and start run
        </Button>
        <Button px="xs" variant="subtle" color="gray" onClick={onLeave}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
