import { Button, FileButton, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { filesOf } from "./dropped";

const ACCEPT = ".jsonl,.ndjson,.json,.parquet,.gz,.zst";

/** Takes files: chosen by a button, or dropped anywhere on the page. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [over, setOver] = useState(false);
  const reset = useRef<() => void>(null);
  useWindowEvent("dragover", (event) => {
    event.preventDefault(); // else the browser would leave the page for the file
    setOver(event.dataTransfer?.types.includes("Files") ?? false);
  });
  useWindowEvent("dragleave", (event) => {
    if (event.relatedTarget === null) setOver(false);
  });
  useWindowEvent("drop", (event) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer) onFiles(filesOf(event.dataTransfer));
  });
  return (
    <section className="drop-zone" data-over={over || undefined} aria-label="New import">
      <FileButton
        multiple
        accept={ACCEPT}
        resetRef={reset}
        onChange={(files) => {
          onFiles(files);
          reset.current?.(); // the same file can be chosen again
        }}
      >
        {(props) => (
          <Button {...props} leftSection={<FileUp size={16} aria-hidden />}>
            Choose files
          </Button>
        )}
      </FileButton>
      <div>
        <Text>or drop them anywhere on this page.</Text>
        <Text size="sm" c="dimmed">
          JSON lines, one JSON array, or Parquet, with <code>messages</code> or{" "}
          <code>conversations</code> in each row; gzip or zstd around the JSON; at most 20 GB.
        </Text>
      </div>
    </section>
  );
}
