/** Saved views: open one, save what is shown, change, rename or delete the one that is open. */
import { Button, Group, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { Bookmark, BookmarkPlus, Pencil, RotateCw, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { SavedView } from "../api";
import { type CorpusSearch, searchOfView } from "./search";
import { useDeleteView, useKeepView, useViews } from "./useViews";

interface Props {
  search: CorpusSearch;
  onOpen: (search: CorpusSearch) => void;
  onChange: (part: CorpusSearch) => void;
}

export function Views({ search, onOpen, onChange }: Props) {
  const { data: views = [] } = useViews();
  const [naming, setNaming] = useState<"new" | SavedView>();
  const keep = useKeepView();
  const remove = useDeleteView();
  const open = views.find(({ id }) => id === search.view);
  const update = (view: SavedView) =>
    keep.mutate(
      { name: view.name, search, of: view },
      {
        onSuccess: () => notifications.show({ message: `${view.name} shows this from now on.` }),
        onError: told,
      },
    );
  const ask = (view: SavedView) =>
    modals.openConfirmModal({
      title: `Delete the view ${view.name}?`,
      children: <Text size="sm">The conversations stay as they are.</Text>,
      labels: { confirm: "Delete view", cancel: "Keep it" },
      confirmProps: { color: "red" },
      onConfirm: () =>
        remove.mutate(view, { onSuccess: () => onChange({ view: undefined }), onError: told }),
    });
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<Bookmark size={16} aria-hidden />}>
            {open ? open.name : "Views"}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length > 0 && <Menu.Label>Saved views</Menu.Label>}
          {views.map((view) => (
            <Menu.Item key={view.id} onClick={() => onOpen(searchOfView(view))}>
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item
            leftSection={<BookmarkPlus size={15} aria-hidden />}
            onClick={() => setNaming("new")}
          >
            Save as a new view
          </Menu.Item>
          {open && (
            <>
              <Menu.Item
                leftSection={<RotateCw size={15} aria-hidden />}
                onClick={() => update(open)}
              >
                Save what is shown to it
              </Menu.Item>
              <Menu.Item
                leftSection={<Pencil size={15} aria-hidden />}
                onClick={() => setNaming(open)}
              >
                Rename
              </Menu.Item>
              <Menu.Item leftSection={<Trash2 size={15} aria-hidden />} onClick={() => ask(open)}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <Naming
          of={naming === "new" ? undefined : naming}
          search={naming === "new" ? search : searchOfView(naming)}
          onClose={() => setNaming(undefined)}
          onKept={(view) => onChange({ view: view.id })}
        />
      )}
    </>
  );
}

function told(error: Error): void {
  notifications.show({ color: "red", title: "Nothing was saved", message: error.message });
}

function Naming(props: {
  of: SavedView | undefined;
  search: CorpusSearch;
  onClose: () => void;
  onKept: (view: SavedView) => void;
}) {
  const { of, search, onClose, onKept } = props;
  const [name, setName] = useState(of?.name ?? "");
  const keep = useKeepView();
  const save = (event: FormEvent) => {
    event.preventDefault();
    const done = (view: SavedView) => {
      onKept(view);
      onClose();
    };
    keep.mutate({ name: name.trim(), search, of }, { onSuccess: done });
  };
  return (
    <Modal opened onClose={onClose} title={of ? `Rename ${of.name}` : "Save as a new view"}>
      <form onSubmit={save}>
        <Stack>
          <TextInput
            label="Name"
            description="Everybody sees saved views."
            value={name}
            maxLength={100}
            required
            data-autofocus
            error={keep.error?.message}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button type="submit" loading={keep.isPending}>
              {of ? "Rename" : "Save view"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
