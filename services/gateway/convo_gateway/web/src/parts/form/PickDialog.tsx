import { Button, Checkbox, Group, Modal, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import { summaryOf } from "../../catalog/columns";
import { type Kind, WORDS } from "../../catalog/kinds";
import { listPage } from "../../catalog/objects";
import { count } from "../../format";
import { Plain } from "../Plain";
import { Failed, Loading } from "../states";
import "./form.css";

const TYPING_MS = 250;

interface Props {
  kind: Kind;
  /** Names that are in already. */
  taken: ReadonlySet<string>;
  onAdd: (names: string[]) => void;
  onClose: () => void;
}

/** Choose objects of the catalog, as many as one likes, and add them at once. */
export function PickDialog({ kind, taken, onAdd, onClose }: Props) {
  const { many } = WORDS[kind];
  const [q, setQ] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const found = useFound(kind, q.trim());
  const free = found.rows.filter(({ name }) => !taken.has(name));
  const choose = (names: string[], on: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      for (const name of names) on ? next.add(name) : next.delete(name);
      return next;
    });
  const all = free.length > 0 && free.every(({ name }) => chosen.has(name));
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<strong>Add {many.toLowerCase()}</strong>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <TextInput
        data-autofocus
        type="search"
        aria-label={`Search ${many.toLowerCase()}`}
        placeholder="Name or summary"
        leftSection={<Search size={16} aria-hidden />}
        value={q}
        onChange={({ currentTarget }) => setQ(currentTarget.value)}
      />
      <Group justify="space-between" my="xs">
        <Checkbox
          label={`All ${count(free.length)} shown`}
          checked={all}
          indeterminate={!all && free.some(({ name }) => chosen.has(name))}
          disabled={free.length === 0}
          onChange={() =>
            choose(
              free.map(({ name }) => name),
              !all,
            )
          }
        />
        <Text size="sm" c="dimmed" role="status">
          {count(found.rows.length)}
          {found.hasNextPage && " and more"} found
        </Text>
      </Group>
      {found.error && (
        <Failed error={found.error} what={many} onRetry={() => void found.refetch()} />
      )}
      {found.isPending && <Loading what={many.toLowerCase()} />}
      <ul className="pick-list">
        {found.rows.map((entry) => (
          <li key={entry.name}>
            <Checkbox
              label={entry.name}
              description={
                taken.has(entry.name) ? "In already" : <Plain text={summaryOf(kind, entry)} />
              }
              checked={taken.has(entry.name) || chosen.has(entry.name)}
              disabled={taken.has(entry.name)}
              onChange={({ currentTarget }) => choose([entry.name], currentTarget.checked)}
            />
          </li>
        ))}
        {found.hasNextPage && (
          <li>
            <Button
              size="xs"
              variant="default"
              loading={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              Show more
            </Button>
          </li>
        )}
      </ul>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={chosen.size === 0}
          onClick={() => {
            onAdd([...chosen]);
            onClose();
          }}
        >
          Add {chosen.size > 0 && count(chosen.size)}
        </Button>
      </Group>
    </Modal>
  );
}

function useFound(kind: Kind, typed: string) {
  const [q] = useDebouncedValue(typed, TYPING_MS);
  const list = useInfiniteQuery({
    queryKey: ["catalog", kind, "list", q || undefined, undefined],
    queryFn: ({ pageParam, signal }) =>
      listPage(kind, { q: q || undefined, archived: undefined, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: (before) => before,
  });
  return { ...list, rows: list.data?.pages.flatMap(({ items }) => items) ?? [] };
}
