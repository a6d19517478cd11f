import { Button, Checkbox, Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileCheck, Import } from "lucide-react";
import { useRef, useState } from "react";
import { failureOf } from "../../api";
import { Failed } from "../../parts/states";
import { WORDS } from "../kinds";
import { BulkResult } from "./BulkResult";
import { FileField } from "./FileField";
import { type BulkAnswer, formOf, sendTable, TABLE_KINDS, type TableKind } from "./files";

const MOST_BYTES = 20_000_000;
const COLUMNS: Record<TableKind, string> = {
  personas: "name, summary, traits (separated by |), language",
  voices: "name, style",
  pools: "pool, value",
};

/** Many personas, voices or pool values from a table: tried first, then written. */
export function TableImport(props: { kind: TableKind; onKind: (kind: TableKind) => void }) {
  const { kind, onKind } = props;
  const [file, setFile] = useState({ text: "", name: "" });
  const [skipBad, setSkipBad] = useState(false);
  const [append, setAppend] = useState(false);
  const [note, setNote] = useState("");
  const [answer, setAnswer] = useState<BulkAnswer>();
  const field = useRef<HTMLTextAreaElement>(null);
  const sending = useRef(false); // the second click of a double click comes before anything is drawn anew
  const cache = useQueryClient();
  const act = useMutation({
    mutationFn: (write: boolean) =>
      sendTable(kind, formOf(file.name, file.text), file.text, {
        dry_run: !write,
        skip_bad: skipBad,
        note: note.trim() || undefined,
        mode: kind === "pools" ? (append ? "append" : "replace") : undefined,
      }),
    onSuccess: (found, write) => {
      setAnswer(found);
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
  const renew = () => {
    setAnswer(undefined);
    act.reset();
  };
  const refused = answerOf(act.error);
  const shown = refused ?? answer;
  const tried = answer !== undefined && !answer.written;
  const writable = tried && (answer.errors_total === 0 || skipBad) && wanted(answer) > 0;
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="What the rows are"
        value={kind}
        data={TABLE_KINDS.map((value) => ({ value, label: WORDS[value].many }))}
        onChange={(next) => {
          onKind(next as TableKind);
          renew();
        }}
        className="kinds-of-table"
      />
      <FileField
        label="Rows"
        help={`CSV with a header, or one JSON object a line: ${COLUMNS[kind]}.`}
        accept=".csv,.tsv,.jsonl,.ndjson"
        mostBytes={MOST_BYTES}
        text={file.text}
        field={field}
        onText={(text, name) => {
          setFile({ text, name });
          renew();
        }}
      />
      <Checkbox
        label="Leave out rows that are wrong"
        description="Without it, one wrong row keeps everything out."
        checked={skipBad}
        onChange={({ currentTarget }) => setSkipBad(currentTarget.checked)}
      />
      {kind === "pools" && (
        <Checkbox
          label="Add to what the pools have"
          description="Without it, the values of a pool are replaced."
          checked={append}
          onChange={({ currentTarget }) => {
            setAppend(currentTarget.checked);
            renew();
          }}
        />
      )}
      <TextInput
        label="Note"
        description="Why, for people who read the versions"
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          variant={writable ? "default" : "filled"}
          loading={act.isPending && !act.variables}
          leftSection={<FileCheck size={16} aria-hidden />}
          onClick={() => send(false)}
        >
          Check
        </Button>
        {writable && (
          <Button
            loading={act.isPending && act.variables}
            leftSection={<Import size={16} aria-hidden />}
            onClick={() => send(true)}
          >
            Import
          </Button>
        )}
      </Group>
      {act.error && !refused && <Failed error={act.error} what="Import" />}
      {shown && <BulkResult kind={kind} answer={shown} skipBad={skipBad} />}
    </Stack>
  );
}

function wanted(answer: BulkAnswer): number {
  return answer.created + answer.updated + answer.unchanged;
}

/** What a refusal says of the rows. */
function answerOf(error: unknown): BulkAnswer | undefined {
  if (!error) return undefined;
  return (failureOf(error).problem as { answer?: BulkAnswer }).answer;
}
