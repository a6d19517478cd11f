import { Section } from "../../parts/Section";
import { useField } from "../fields/form";
import { LinesField } from "../fields/LinesField";
import { poolVariable } from "../template";
import { NameField } from "./NameField";

export function PoolFields({ isNew }: { isNew: boolean }) {
  const name = useField("/name").value;
  return (
    <Section title="What prompts draw from">
      <div className="fields">
        <NameField isNew={isNew} />
        {typeof name === "string" && name !== "" && (
          <p className="minor">
            In prompts as <code>{`{{ ${poolVariable(name)} }}`}</code>
          </p>
        )}
        <LinesField
          at="/values"
          label="Values"
          one="value"
          required
          rows={18}
          fromFile
          help="At most 100,000. A line break inside a value is written as ␤."
        />
      </div>
    </Section>
  );
}
