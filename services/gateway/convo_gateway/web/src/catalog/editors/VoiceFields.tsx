import { Section } from "../../parts/Section";
import { TextField } from "../fields/TextField";
import { NameField } from "./NameField";

export function VoiceFields({ isNew }: { isNew: boolean }) {
  return (
    <Section title="How they write">
      <div className="fields">
        <NameField isNew={isNew} />
        <TextField at="/style" label="Style" required long />
      </div>
    </Section>
  );
}
