import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { Failed } from "../../parts/states";
import { type Kind, WORDS } from "../kinds";
import { basedOn, type Item, pathOfObject, post } from "../objects";

interface Props {
  kind: Kind;
  name: string;
  latest: number;
  /** The version to write again; undefined while nothing is asked. */
  version: number | undefined;
  onClose: () => void;
}

/** Writes an older version again, as the newest one. */
export function RestoreDialog({ kind, name, latest, version, onClose }: Props) {
  const [note, setNote] = useState("");
  const sending = useRef(false); // the second click of a double click comes before anything is drawn anew
  const cache = useQueryClient();
  const navigate = useNavigate();
  const restore = useMutation({
    mutationFn: (wanted: number) =>
      post<Item & { changed: boolean }>(
        `${pathOfObject(kind, name)}/restore`,
        { version: wanted, note: note.trim() },
        basedOn(latest),
      ),
    onSuccess: async (item) => {
      notifications.show({
        message: item.changed
          ? `Version ${version} is version ${item.version} now.`
          : `The latest version says that already; nothing was written.`,
      });
      close();
      await cache.invalidateQueries({ queryKey: ["catalog"] });
      await navigate({
        to: "/catalog/$kind/$name/versions",
        params: { kind, name },
        search: {},
        replace: true,
      });
    },
    onSettled: () => {
      sending.current = false;
    },
  });
  const close = () => {
    setNote("");
    restore.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sending.current || version === undefined) return;
    sending.current = true;
    restore.mutate(version);
  };
  return (
    <Modal
      opened={version !== undefined}
      onClose={close}
      title={`Restore version ${version ?? ""}?`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text>
            The {WORDS[kind].one} {name} gets version {latest + 1} with what version {version} says.
            All versions stay.
          </Text>
          <TextInput
            label="Note"
            description="Why, for people"
            placeholder={`version ${version ?? ""} restored`}
            maxLength={500}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          {restore.error && <Failed error={restore.error} what="It was not restored" />}
          <Group gap="xs">
            <Button
              type="submit"
              loading={restore.isPending}
              leftSection={<RotateCcw size={16} aria-hidden />}
            >
              Restore
            </Button>
            <Button variant="default" onClick={close}>
              Leave it
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
