import { Button, FileButton, Group, Input, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { FileUp } from "lucide-react";
import { type DragEvent, type Ref, useId, useState } from "react";

interface Props {
  label: string;
  help: string;
  accept: string;
  mostBytes: number;
  text: string;
  field: Ref<HTMLTextAreaElement>;
  onText: (text: string, file: string) => void;
}

/** Text that is pasted, typed, dropped as a file, or chosen as one. */
export function FileField({ label, help, accept, mostBytes, text, field, onText }: Props) {
  const id = useId();
  const [over, setOver] = useState(false);
  const [name, setName] = useState("");
  const take = async (file: File | null | undefined) => {
    if (!file) return;
    if (file.size > mostBytes) {
      const most = `${Math.round(mostBytes / 1e6)} MB`;
      notifications.show({ color: "red", title: file.name, message: `It is larger than ${most}.` });
      return;
    }
    setName(file.name);
    onText(await file.text(), file.name);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <Input.Wrapper id={id} label={label} description={help}>
      <textarea
        ref={field}
        id={id}
        className="lines code file-text"
        data-over={over || undefined}
        rows={16}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => {
          setName("");
          onText(currentTarget.value, "");
        }}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      />
      <Group gap="xs" mt={4}>
        <FileButton accept={accept} onChange={(file) => void take(file)}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              leftSection={<FileUp size={14} aria-hidden />}
            >
              Choose a file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {name || "or drop one on the field"}
        </Text>
      </Group>
    </Input.Wrapper>
  );
}
