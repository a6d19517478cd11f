import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, TriangleAlert } from "lucide-react";
import { plural } from "../format";
import { Failed, Loading } from "../parts/states";
import { type Kind, WORDS } from "./kinds";
import { pathOfObject, post, usesQuery } from "./objects";
import { UsesList } from "./UsesPanel";

/** Hides an object from lists after showing where it is used; or brings it back. */
export function ArchiveButton(props: { kind: Kind; name: string; archived: boolean }) {
  const { kind, name, archived } = props;
  const [asks, { open, close }] = useDisclosure();
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      post<unknown>(`${pathOfObject(kind, name)}/${archived ? "unarchive" : "archive"}`),
    onSuccess: async () => {
      close();
      notifications.show({ message: `${name} is ${archived ? "back in the lists" : "archived"}.` });
      await cache.invalidateQueries({ queryKey: ["catalog"] });
    },
    onError: (error) =>
      archived &&
      notifications.show({ color: "red", title: "Nothing was changed", message: error.message }),
  });
  return (
    <>
      <Button
        variant="default"
        loading={archived && change.isPending}
        leftSection={
          archived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />
        }
        onClick={() => (archived ? change.mutate() : open())}
      >
        {archived ? "Bring back" : "Archive"}
      </Button>
      <Modal
        opened={asks}
        onClose={close}
        title={`Archive ${WORDS[kind].one} ${name}?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack gap="sm">
          <Text>
            It leaves the lists and can be brought back. Its versions stay, and so does every run
            that was made with it.
          </Text>
          {asks && <Users kind={kind} name={name} />}
          {change.error && <Failed error={change.error} what="It was not archived" />}
          <Group gap="xs">
            <Button
              variant="default"
              className="danger"
              loading={change.isPending}
              onClick={() => change.mutate()}
            >
              Archive
            </Button>
            <Button variant="default" onClick={close}>
              Keep it
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Users({ kind, name }: { kind: Kind; name: string }) {
  const { data, error, isPending } = useQuery({ ...usesQuery(kind, name), staleTime: 0 });
  if (isPending) return <Loading what="where it is used" />;
  if (data === undefined) return <Failed error={error} what="Where it is used" />;
  if (data.items.length === 0) return <UsesList uses={data} />;
  return (
    <Alert
      variant="outline"
      color="orange"
      icon={<TriangleAlert aria-hidden />}
      title={`Used in ${plural(data.items.length, "place")}`}
    >
      <UsesList uses={data} />
    </Alert>
  );
}
