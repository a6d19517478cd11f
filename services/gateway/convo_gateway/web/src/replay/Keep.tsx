import { Button, Group, Text, TextInput } from "@mantine/core";
import { BookmarkPlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf, type Replay } from "../api";
import { Section } from "../parts/Section";
import { useKeepReplay } from "./useReplay";

/** A name for what the replay came to. */
export function Keep({ run, replay }: { run: string; replay: Replay }) {
  const [name, setName] = useState("");
  const { mutate, isPending, error } = useKeepReplay(run, replay.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name !== "") mutate(name);
  };
  if (replay.verdict_set !== null) {
    return (
      <Section title="Verdict set">
        <Text size="sm" role="status">
          Kept as <strong>{replay.verdict_set}</strong>, beside the run's own record.
        </Text>
      </Section>
    );
  }
  return (
    <Section title="Keep as verdict set">
      <form onSubmit={submit}>
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Name"
            description="Lower-case letters, digits, dots, dashes. The run's own record stays as it is"
            value={name}
            error={error ? failureOf(error).message : undefined}
            onChange={({ currentTarget }) => setName(currentTarget.value.trim())}
            className="replay-name"
          />
        </Group>
        <Button
          type="submit"
          variant="default"
          mt="xs"
          loading={isPending}
          disabled={name === ""}
          leftSection={<BookmarkPlus size={16} aria-hidden />}
        >
          Keep as verdict set
        </Button>
      </form>
    </Section>
  );
}
