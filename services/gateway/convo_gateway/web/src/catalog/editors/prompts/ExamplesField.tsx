import { Textarea } from "@mantine/core";
import { Section } from "../../../parts/Section";
import { useField } from "../../fields/form";
import { RowsField } from "../../fields/RowsField";
import { TextField } from "../../fields/TextField";
import { isObject } from "../../json";

/** Conversations that models are shown, turn by turn. */
export function ExamplesField() {
  return (
    <Section title="Examples">
      <p className="minor">
        Conversations that segments can show to the model. A copy of one is rejected.
      </p>
      <RowsField
        at="/examples"
        one="example"
        make={() => ({ name: "", turns: ["", ""] })}
        title={(example) => (isObject(example) ? String(example.name ?? "") : "")}
      >
        {(at) => (
          <div className="fields">
            <TextField at={`${at}/name`} label="Name of the example" required />
            <RowsField
              at={`${at}/turns`}
              one="turn"
              make={() => ""}
              title={(_, index) => `${index + 1}. ${roleOf(index)}`}
            >
              {(turn, index) => <Turn at={turn} index={index} />}
            </RowsField>
          </div>
        )}
      </RowsField>
    </Section>
  );
}

function Turn({ at, index }: { at: string; index: number }) {
  const field = useField(at);
  return (
    <Textarea
      id={field.id}
      aria-label={`Turn ${index + 1}, ${roleOf(index)}`}
      autosize
      minRows={1}
      maxRows={12}
      dir="auto"
      value={typeof field.value === "string" ? field.value : ""}
      error={field.error}
      onChange={({ currentTarget }) => field.set(currentTarget.value)}
    />
  );
}

function roleOf(index: number): string {
  return index % 2 === 0 ? "user" : "assistant";
}
