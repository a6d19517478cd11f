import { Button, Group, Input, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { ListX } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { plural } from "../../format";
import { Plain } from "../../parts/Plain";
import { useField } from "./form";
import { HiddenNotice } from "./HiddenNotice";
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
}

const MANY = 2_000;
const TYPING_MS = 400;

/** A list of texts, one a line; with what repeats. Long lists are read a moment after the last key. */
export function LinesField({ at, label, one, help, code, required, rows = 8 }: Props) {
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
  const tell = (typed: string) => {
    const next = valuesOf(typed);
    told.current = next;
    field.set(next);
  };
  const tellLater = useDebouncedCallback(tell, { delay: TYPING_MS, flushOnUnmount: true });
  const repeats = useMemo(() => repeatsIn(values), [values]);
  const write = (typed: string) => {
    setText(typed);
    if (values.length > MANY) tellLater(typed);
    else tell(typed);
  };
  return (
    <Input.Wrapper
      id={field.id}
      label={label}
      description={field.help ?? help}
      required={required}
      error={field.error}
      inputWrapperOrder={["label", "description", "input", "error"]}
    >
      <textarea
        id={field.id}
        className={`lines${code ? " code" : ""}`}
        rows={rows}
        dir="auto"
        spellCheck={false}
        value={text}
        aria-invalid={field.error !== undefined}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onBlur={() => tellLater.flush()}
      />
      <Group gap="xs" className="lines-facts">
        <Text size="sm" c="dimmed">
          {plural(values.length, one)}, one a line
        </Text>
        {repeats.count > 0 && (
          <>
            <Text size="sm" className="warn">
              {plural(repeats.count, "line")} said before, such as “
              <Plain text={repeats.some[0]?.slice(0, 60) ?? ""} />”
            </Text>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<ListX size={14} aria-hidden />}
              onClick={() => write(linesOf([...new Set(values)]))}
            >
              Keep the first of each
            </Button>
          </>
        )}
      </Group>
      <HiddenNotice text={text} />
    </Input.Wrapper>
  );
}
