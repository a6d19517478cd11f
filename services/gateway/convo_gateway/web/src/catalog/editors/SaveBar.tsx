import { Button, Group, Kbd, Paper, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Save } from "lucide-react";
import { type Kind, WORDS } from "../kinds";
import type { Item } from "../objects";
import type { Draft } from "./useDraft";

/** The note and the button that saves; always in sight. */
export function SaveBar(props: { kind: Kind; base: Item | undefined; draft: Draft }) {
  const { kind, base, draft } = props;
  const navigate = useNavigate();
  const leave = () =>
    base
      ? void navigate({ to: "/catalog/$kind/$name", params: { kind, name: base.name } })
      : void navigate({ to: "/catalog/$kind", params: { kind } });
  return (
    <Paper withBorder p="sm" className="save-bar">
      <TextInput
        label="Note"
        description="Why, for people who read the versions"
        maxLength={500}
        dir="auto"
        value={draft.note}
        onChange={({ currentTarget }) => draft.setNote(currentTarget.value)}
        className="save-note"
      />
      <Group gap="xs">
        <Button
          type="submit"
          loading={draft.saving}
          leftSection={<Save size={16} aria-hidden />}
          rightSection={
            <Kbd size="xs" className="wide-only">
              Ctrl S
            </Kbd>
          }
        >
          {base ? `Save version ${base.version + 1}` : `Save ${WORDS[kind].one}`}
        </Button>
        <Button variant="default" onClick={leave}>
          Cancel
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {draft.dirty ? "Not saved yet" : base && "No changes"}
        </Text>
      </Group>
    </Paper>
  );
}
