import { Radio } from "@mantine/core";
import type { RefObject } from "react";
import { isObject } from "../catalog/json";
import { useDerived, useEditing, useField } from "../parts/form/context";
import { LongTextField, NumberField, TextField } from "../parts/form/fields";
import { inMode, type Kept, MODES, type Mode, modeOf } from "./body";

/** Name, mode, how many, from which seed. */
export function Basics({ isNew, kept }: { isNew: boolean; kept: RefObject<Kept> }) {
  const reads = useDerived(modeOf) === "import";
  return (
    <>
      <div className="form-fields">
        <TextField
          at="/name"
          label="Name"
          description={
            isNew
              ? "Lower-case letters, digits, dots, dashes"
              : "A name stays; copy it to have another"
          }
          placeholder="such as support-chats"
          readOnly={!isNew}
          autoFocus={isNew}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          at="/language"
          label="Language"
          description="Code such as en or pt-BR"
          autoComplete="off"
        />
        <LongTextField
          at="/description"
          label="Description"
          minRows={1}
          wrapperProps={{ "data-whole": true }}
        />
      </div>
      <ModeChoice kept={kept} />
      <div className="form-fields">
        <NumberField
          at="/target_count"
          whole
          label="Target count"
          description={
            reads
              ? "The most conversations that are taken of an import, the first ones; 1 to 10,000,000"
              : "Conversations to make, 1 to 10,000,000"
          }
        />
        <NumberField
          at="/seed"
          whole
          label="Run seed"
          description={
            reads
              ? "For what is drawn, such as second verdicts"
              : "The same seed draws the same plan"
          }
        />
        <NumberField
          at="/threads"
          whole
          label="Threads"
          description="Lanes that work side by side, 1 to 1,000,000"
        />
      </div>
    </>
  );
}

function ModeChoice({ kept }: { kept: RefObject<Kept> }) {
  const { draft } = useEditing();
  const { id, value, error } = useField("/mode");
  return (
    <Radio.Group
      id={id}
      my="md"
      label="Mode"
      error={error}
      value={String(value ?? "")}
      onChange={(mode) => {
        if (isObject(draft.value)) draft.replace(inMode(draft.value, mode as Mode, kept.current));
      }}
    >
      <div className="modes">
        {Object.entries(MODES).map(([mode, meaning]) => (
          <Radio key={mode} value={mode} label={mode} description={meaning} />
        ))}
      </div>
    </Radio.Group>
  );
}
