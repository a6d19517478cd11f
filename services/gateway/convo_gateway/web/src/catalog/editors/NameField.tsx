import { TextField } from "../fields/TextField";

/** The name: chosen once. */
export function NameField({ isNew }: { isNew: boolean }) {
  return (
    <TextField
      at="/name"
      label="Name"
      required
      readOnly={!isNew}
      help={
        isNew
          ? "Lower-case letters, digits, dots, dashes and underscores. It cannot be changed later."
          : "A name cannot be changed; duplicate the object to have it under another."
      }
    />
  );
}
