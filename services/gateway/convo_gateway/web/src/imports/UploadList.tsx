import { Button, Group, Paper, Progress, Text } from "@mantine/core";
import { Ban, X } from "lucide-react";
import { bytes, percent } from "../format";
import { Plain } from "../parts/Plain";
import { Failed } from "../parts/states";
import { type Upload, uploads, useUploads } from "./uploads";

/** Files on their way in, each with how far it is. Nothing where there are none. */
export function UploadList() {
  const list = useUploads();
  if (list.length === 0) return null;
  return (
    <ul className="uploads" aria-label="Files that are sent">
      {list.map((upload) => (
        <Paper component="li" withBorder p="sm" key={upload.id}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <strong className="upload-name">
              <Plain text={upload.name} />
            </strong>
            <End upload={upload} />
          </Group>
          {upload.failure ? (
            <Failed error={upload.failure} what="It was not taken" />
          ) : (
            <HowFar upload={upload} />
          )}
        </Paper>
      ))}
    </ul>
  );
}

function End({ upload: { id, name, state } }: { upload: Upload }) {
  const isOver = state === "failed";
  return (
    <Button
      size="xs"
      variant="default"
      className="upload-end"
      leftSection={isOver ? <X size={15} aria-hidden /> : <Ban size={15} aria-hidden />}
      aria-label={`${isOver ? "Dismiss" : "Cancel sending"} ${name}`}
      onClick={() => uploads.drop(id)}
    >
      {isOver ? "Dismiss" : "Cancel"}
    </Button>
  );
}

function HowFar({ upload: { name, size, sent, state } }: { upload: Upload }) {
  if (state === "waiting") {
    return <Text size="sm">Waiting: {bytes(size)}, after the files before it</Text>;
  }
  // What is sent has a few bytes around the file.
  const share = size === 0 ? 1 : Math.min(1, sent / size);
  return (
    <>
      <Progress.Root size="lg" my={6}>
        <Progress.Section value={share * 100} aria-label={`Sent of ${name}`} />
      </Progress.Root>
      <Text size="sm">
        {share < 1
          ? `${bytes(Math.min(sent, size))} of ${bytes(size)} sent (${percent(share)})`
          : `All ${bytes(size)} sent; waiting for the answer`}
      </Text>
    </>
  );
}
