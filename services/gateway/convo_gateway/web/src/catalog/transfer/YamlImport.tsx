import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileCheck, Import } from "lucide-react";
import { useRef, useState } from "react";
import { failureOf } from "../../api";
import { Section } from "../../parts/Section";
import { Failed } from "../../parts/states";
import { ChangesTable } from "./ChangesTable";
import { FileField } from "./FileField";
import { checkYaml, type FileAnswer, importYaml, lineRange } from "./files";
import { ProblemList } from "./ProblemList";

const MOST_BYTES = 5_000_000;

/** Objects of any kind from a YAML file: checked first, then written, all or none. */
export function YamlImport() {
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const [answer, setAnswer] = useState<FileAnswer>();
  const [written, setWritten] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const sending = useRef(false); // the second click of a double click comes before anything is drawn anew
  const cache = useQueryClient();
  const act = useMutation({
    mutationFn: (write: boolean) => (write ? importYaml(text, note.trim()) : checkYaml(text)),
    onSuccess: (found, write) => {
      setAnswer(found);
      setWritten(write);
      if (write) void cache.invalidateQueries({ queryKey: ["catalog"] });
    },
    onSettled: () => {
      sending.current = false;
    },
  });
  const send = (write: boolean) => {
    if (sending.current) return;
    sending.current = true;
    act.mutate(write);
  };
  const problems = answer?.problems ?? problemsOf(act.error);
  const ready = answer !== undefined && !written && problems.length === 0;
  return (
    <Stack gap="md">
      <FileField
        label="YAML"
        help="One document or many; each names its kind. Paste it, or drop a file."
        accept=".yaml,.yml"
        mostBytes={MOST_BYTES}
        text={text}
        field={field}
        onText={(next) => {
          setText(next);
          setAnswer(undefined);
          act.reset();
        }}
      />
      <TextInput
        label="Note"
        description="Why, for people who read the versions"
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          variant={ready ? "default" : "filled"}
          loading={act.isPending && !act.variables}
          leftSection={<FileCheck size={16} aria-hidden />}
          onClick={() => send(false)}
        >
          Check
        </Button>
        {ready && (
          <Button
            loading={act.isPending && act.variables}
            leftSection={<Import size={16} aria-hidden />}
            onClick={() => send(true)}
          >
            Import
          </Button>
        )}
      </Group>
      {act.error && problems.length === 0 && <Failed error={act.error} what="Import" />}
      {problems.length > 0 && (
        <ProblemList
          title="Nothing can be written yet"
          problems={problems}
          onGo={(line) => select(field.current, line)}
        />
      )}
      {answer && problems.length === 0 && (
        <Section title={written ? "Written" : "What would change"}>
          <ChangesTable changes={answer.changes} />
        </Section>
      )}
      {answer?.warnings && answer.warnings.length > 0 && (
        <ProblemList
          title="It can be written, but no run could start from it yet"
          problems={answer.warnings}
          onGo={(line) => select(field.current, line)}
        />
      )}
    </Stack>
  );
}

function problemsOf(error: unknown): NonNullable<FileAnswer["problems"]> {
  const found = error ? (failureOf(error).problem as { problems?: FileAnswer["problems"] }) : {};
  return found.problems ?? [];
}

/** Select a line, and bring it into sight. */
function select(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return;
  const [from, to] = lineRange(field.value, line);
  field.focus();
  field.setSelectionRange(from, to);
  const lines = field.value.split("\n").length;
  field.scrollTop = (field.scrollHeight / lines) * (line - 4);
}
