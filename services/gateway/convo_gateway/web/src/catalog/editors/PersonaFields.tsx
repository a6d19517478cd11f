import { Section } from "../../parts/Section";
import { LinesField } from "../fields/LinesField";
import { TextField } from "../fields/TextField";
import { NameField } from "./NameField";

export function PersonaFields({ isNew }: { isNew: boolean }) {
  return (
    <Section title="Who they are">
      <div className="fields">
        <NameField isNew={isNew} />
        <TextField at="/summary" label="Summary" required long />
        <LinesField at="/traits" label="Traits" one="trait" rows={5} />
        <TextField at="/language" label="Language" placeholder="en" />
      </div>
    </Section>
  );
}
