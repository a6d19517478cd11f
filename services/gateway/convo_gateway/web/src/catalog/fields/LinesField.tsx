import { Button, FileButton, Group, Input, Text } from "@mantine/core";
import { FileUp, ListX } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { plural } from "../../format";
import { Plain } from "../../parts/Plain";
import { useField } from "./form";
import { HiddenNotice } from "./HiddenNotice";
import { LargeLines } from "./LargeLines";
import { linesOf, repeatsIn, valuesOf } from "./lines";

interface Props {
  at: string;
  label: string;
  /** What one line is, such as `value`. */
  one: string;
  help?: string;
  code?: boolean;
  required?: boolean;
  rows?: number;
  /** Whether the lines can come from a text file. */
  fromFile?: boolean;
}

/** Browsers need seconds for each key in a text field of more lines. */
const MOST_LINES = 4_000;
/** To find the direction of every line takes them longer still. */
const MOST_DIRECTED = 20_000;

/** A list of texts, one a line; with what repeats. */
export function LinesField({ at, label, one, help, code, required, rows = 8, fromFile }: Props) {
  const field = useField(at, true);
  const values = useMemo(
    () => (Array.isArray(field.value) ? field.value.map(String) : []),
    [field.value],
  );
  const [text, setText] = useState(() => linesOf(values));
  const told = useRef(field.value);
  useEffect(() => {
    // What was written from elsewhere, such as another version.
    if (field.value === told.current) return;
    told.current = field.value;
    setText(linesOf(values));
  }, [field.value, values]);
  const take = (next: string[]) => {
    told.current = next;
    field.set(next);
  };
  const write = (typed: string) => {
    setText(typed);
    take(valuesOf(typed));
  };
  const large = values.length > MOST_LINES;
  return (
    <Input.Wrapper
      id={field.id}
      label={label}
      description={field.help ?? help}
      required={required}
      error={field.error}
      inputWrapperOrder={["label", "description", "input", "error"]}
    >
      {large ? (
        <LargeLines
          id={field.id}
          label={label}
          one={one}
          values={values}
          onChange={(next) => write(linesOf(next))}
        />
      ) : (
        <textarea
          id={field.id}
          className={`lines${code ? " code" : ""}`}
          rows={rows}
          dir={text.length > MOST_DIRECTED ? undefined : "auto"}
          spellCheck={false}
          value={text}
          aria-invalid={field.error !== undefined}
          onChange={({ currentTarget }) => write(currentTarget.value)}
          onPaste={(event) => {
            // Browsers type a long text in line by line, which takes them minutes.
            const pasted = event.clipboardData.getData("text/plain");
            if (pasted.length < MOST_DIRECTED) return;
            event.preventDefault();
            const { value, selectionStart, selectionEnd } = event.currentTarget;
            write(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
          }}
        />
      )}
      <Group gap="xs" className="lines-facts">
        <Text size="sm" c="dimmed">
          {plural(values.length, one)}
          {!large && ", one a line"}
        </Text>
        {fromFile && <FromFile onText={write} />}
        <Repeats values={values} onChange={(next) => write(linesOf(next))} />
      </Group>
      <HiddenNotice text={text} />
    </Input.Wrapper>
  );
}

/** What stands there more than once. */
function Repeats(props: { values: readonly string[]; onChange: (values: string[]) => void }) {
  const { values, onChange } = props;
  const repeats = useMemo(() => repeatsIn(values), [values]);
  if (repeats.count === 0) return null;
  return (
    <>
      <Text size="sm" className="warn">
        {plural(repeats.count, "line")} said before, such as “
        <Plain text={repeats.some[0]?.slice(0, 60) ?? ""} />”
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<ListX size={14} aria-hidden />}
        onClick={() => onChange([...new Set(values)])}
      >
        Keep the first of each
      </Button>
    </>
  );
}

function FromFile({ onText }: { onText: (text: string) => void }) {
  const read = async (file: File | null) => {
    if (file !== null) onText((await file.text()).replaceAll(/\r\n?/g, "\n"));
  };
  return (
    <FileButton accept=".txt,text/plain" onChange={(file) => void read(file)}>
      {(props) => (
        <Button
          {...props}
          size="compact-xs"
          variant="default"
          leftSection={<FileUp size={14} aria-hidden />}
        >
          Take the lines of a file
        </Button>
      )}
    </FileButton>
  );
}
