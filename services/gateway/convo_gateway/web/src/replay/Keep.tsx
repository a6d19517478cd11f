import { Button, Group, Text, TextInput } from "@mantine/core";
import { BookmarkPlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf, type Replay } from "../api";
import { Section } from "../parts/Section";
import { useKeepReplay } from "./useReplay";

const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const RULE = "Lower-case letters, digits, dots, dashes and underscores, at most 100";

/** A name for what the replay came to. */
export function Keep({ run, replay }: { run: string; replay: Replay }) {
  const [name, setName] = useState("");
  const { mutate, isPending, error } = useKeepReplay(run, replay.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (NAME.test(name)) mutate(name);
  };
  const wrong = name !== "" && !NAME.test(name);
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
            description="The run's own record stays as it is"
            value={name}
            error={wrong ? RULE : error ? failureOf(error).message : undefined}
            onChange={({ currentTarget }) => setName(currentTarget.value.trim())}
            className="replay-name"
          />
        </Group>
        <Button
          type="submit"
          variant="default"
          mt="xs"
          loading={isPending}
          disabled={name === "" || wrong}
          leftSection={<BookmarkPlus size={16} aria-hidden />}
        >
          Keep as verdict set
        </Button>
      </form>
    </Section>
  );
}
