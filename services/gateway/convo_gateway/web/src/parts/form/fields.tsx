/** Fields that are bound to a part of the draft by its pointer. */
import {
  NativeSelect,
  type NativeSelectProps,
  Switch,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Json } from "../../catalog/json";
import { useField } from "./context";
import { numberOf, textOf } from "./numbers";

/** What explains a field is under it, so that fields side by side are in line. */
export const ORDER: TextInputProps["inputWrapperOrder"] = [
  "label",
  "input",
  "description",
  "error",
];

type Bound<Props> = Omit<Props, "value" | "onChange" | "onBlur" | "error" | "id"> & {
  /** Pointer of the part. */
  at: string;
};

export function TextField({ at, ...look }: Bound<TextInputProps>) {
  const { id, value, error, set, onBlur } = useField(at);
  return (
    <TextInput
      inputWrapperOrder={ORDER}
      {...look}
      id={id}
      value={textOf(value)}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

export function LongTextField({ at, ...look }: Bound<TextareaProps>) {
  const { id, value, error, set, onBlur } = useField(at);
  return (
    <Textarea
      inputWrapperOrder={ORDER}
      autosize
      minRows={2}
      maxRows={14}
      {...look}
      id={id}
      value={textOf(value)}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

/** A number. Empty text is `empty`, or undefined to leave the part out; what is no number is kept as it was typed. */
export function NumberField(
  props: Bound<TextInputProps> & { whole?: boolean; empty?: null | undefined },
) {
  const { at, whole = false, ...look } = props;
  const empty = "empty" in props ? props.empty : null;
  const { empty: _, ...shown } = look;
  const { id, value, error, set, onBlur } = useField(at);
  const [text, setText] = useState(textOf(value));
  const last = useRef(value);
  useEffect(() => {
    if (value !== last.current) setText(textOf(value));
    last.current = value;
  }, [value]);
  return (
    <TextInput
      inputWrapperOrder={ORDER}
      {...shown}
      id={id}
      inputMode={whole ? "numeric" : "decimal"}
      autoComplete="off"
      value={text}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget }) => {
        const typed: Json = numberOf(currentTarget.value);
        const part = typed === null ? empty : typed;
        setText(currentTarget.value);
        last.current = part;
        set(part);
      }}
    />
  );
}

export function ChoiceField(
  props: Bound<Omit<NativeSelectProps, "data">> & { data: NativeSelectProps["data"] },
) {
  const { at, ...look } = props;
  const { id, value, error, set, onBlur } = useField(at);
  return (
    <NativeSelect
      inputWrapperOrder={ORDER}
      {...look}
      id={id}
      value={textOf(value)}
      error={error}
      onBlur={onBlur}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

export function SwitchField(props: {
  at: string;
  label: ReactNode;
  description?: ReactNode;
  /** What it is where the draft does not say. */
  otherwise?: boolean;
}) {
  const { at, label, description, otherwise = false } = props;
  const { id, value, error, set, onBlur } = useField(at);
  return (
    <Switch
      id={id}
      label={label}
      description={description}
      error={error}
      checked={typeof value === "boolean" ? value : otherwise}
      onBlur={onBlur}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  );
}
