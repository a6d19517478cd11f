import { Textarea, TextInput } from "@mantine/core";
import { useField } from "./form";
import { HiddenNotice } from "./HiddenNotice";

interface Props {
  at: string;
  label: string;
  /** Where the schema says nothing. */
  help?: string;
  required?: boolean;
  /** An empty field takes the part out. */
  optional?: boolean;
  /** Several lines. */
  long?: boolean;
  placeholder?: string;
  readOnly?: boolean;
}

export function TextField(props: Props) {
  const { at, label, help, required, optional, long, placeholder, readOnly } = props;
  const field = useField(at);
  const text = typeof field.value === "string" ? field.value : "";
  const shared = {
    id: field.id,
    label,
    description: field.help ?? help,
    required,
    placeholder,
    readOnly,
    value: text,
    error: field.error,
    dir: "auto",
    spellCheck: long ?? false,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      field.set(optional && currentTarget.value === "" ? undefined : currentTarget.value),
  } as const;
  return (
    <div>
      {long ? (
        <Textarea {...shared} autosize minRows={2} maxRows={14} />
      ) : (
        <TextInput {...shared} />
      )}
      <HiddenNotice text={text} />
    </div>
  );
}
