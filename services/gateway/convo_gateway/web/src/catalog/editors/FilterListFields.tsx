import { Section } from "../../parts/Section";
import { SelectField } from "../fields/choices";
import { LinesField } from "../fields/LinesField";
import { TextField } from "../fields/TextField";
import { NameField } from "./NameField";

const SPEAKERS = [
  { value: "assistant", label: "Turns of the assistant" },
  { value: "user", label: "Turns of the user" },
  { value: "any", label: "Turns of both" },
];

export function FilterListFields({ isNew }: { isNew: boolean }) {
  return (
    <Section title="What is looked for">
      <div className="fields">
        <NameField isNew={isNew} />
        <TextField at="/description" label="Description" long help="What it is for." />
        <SelectField at="/speaker" label="Searched in" choices={SPEAKERS} otherwise="assistant" />
        <LinesField at="/phrases" label="Phrases" one="phrase" />
        <LinesField at="/patterns" label="Patterns" one="pattern" code />
      </div>
    </Section>
  );
}
