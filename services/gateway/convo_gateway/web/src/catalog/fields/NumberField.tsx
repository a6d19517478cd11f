import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { Json } from "../json";
import { useField } from "./form";

interface Props {
  at: string;
  label: string;
  help?: string | undefined;
  required?: boolean;
  placeholder?: string;
  unit?: string;
  /** What an empty field writes; undefined takes the part out, which is the default. */
  empty?: null;
}

/** A number as it is typed; what is no number goes to the gateway as it is, which says so. */
export function NumberField(props: Props) {
  const { at, label, help, required, placeholder, unit, empty } = props;
  const field = useField(at);
  const [typed, setTyped] = useState(() => shown(field.value));
  const text = same(typed, field.value) ? typed : shown(field.value);
  return (
    <TextInput
      id={field.id}
      label={label}
      description={help ?? field.help}
      required={required}
      inputMode="decimal"
      placeholder={placeholder}
      rightSection={unit && <span className="field-unit">{unit}</span>}
      rightSectionWidth={unit ? 12 + unit.length * 8 : undefined}
      value={text}
      error={field.error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        field.set(numberOf(currentTarget.value) ?? empty);
      }}
    />
  );
}

function shown(value: Json | undefined): string {
  return value === undefined || value === null ? "" : String(value);
}

function same(typed: string, value: Json | undefined): boolean {
  return shown(numberOf(typed)) === shown(value);
}

/** The number; text that is no number stays text; undefined where there is nothing. */
export function numberOf(typed: string): number | string | undefined {
  const bare = typed.trim().replaceAll(/[\s_]/g, "");
  if (bare === "") return undefined;
  return /^-?(\d{1,15}(\.\d{0,12})?|\.\d{1,12})$/.test(bare) ? Number(bare) : typed.trim();
}
