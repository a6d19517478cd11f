import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { MessagesSquare, X } from "lucide-react";
import { useCallback } from "react";
import { type ConversationSummary, listConversations } from "../api";
import { count, money } from "../format";
import { type Column, DataGrid } from "../parts/DataGrid";
import { StatusBadge } from "../parts/StatusBadge";
import { Empty, Failed, Loading } from "../parts/states";
import { When } from "../parts/When";
import { PageTitle } from "../shell/PageTitle";
import { type ConversationStatus, type CorpusSearch, STATUSES } from "./search";

const PAGE = 200;
const route = getRouteApi("/corpus/");

/** Conversations: those of one run, or the newest of all. */
export function CorpusPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/corpus/" });
  const change = (part: CorpusSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }) });
  return (
    <Stack gap="md">
      <PageTitle title="Corpus" />
      <Group gap="sm">
        <NativeSelect
          aria-label="Status"
          value={search.status ?? ""}
          data={[{ value: "", label: "Every status" }, ...STATUSES]}
          onChange={({ currentTarget: { value } }) =>
            change({
              status: STATUSES.find((status): status is ConversationStatus => status === value),
            })
          }
        />
        {(["run", "reason", "layer", "persona"] as const).map(
          (name) =>
            search[name] && (
              <Button
                key={name}
                size="compact-sm"
                variant="default"
                rightSection={<X size={14} aria-hidden />}
                aria-label={`Do not filter by ${name} ${search[name]}`}
                onClick={() => change({ [name]: undefined })}
              >
                {name} {search[name]}
              </Button>
            ),
        )}
      </Group>
      <List search={search} />
    </Stack>
  );
}

function List({ search }: { search: CorpusSearch }) {
  const navigate = useNavigate();
  const list = useInfiniteQuery({
    queryKey: ["conversations", search],
    queryFn: async ({ pageParam, signal }) => {
      const { layer, ...others } = search;
      const query = { ...others, layer: layer && Number(layer), limit: PAGE, cursor: pageParam };
      return (await listConversations({ query, signal, throwOnError: true })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: (before) => before,
  });
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  if (list.isPending) return <Loading what="conversations" />;
  if (list.data === undefined) {
    return <Failed error={list.error} what="Conversations" onRetry={() => void list.refetch()} />;
  }
  const rows = list.data.pages.flatMap(({ items }) => items);
  if (rows.length === 0 && Object.values(search).some(Boolean)) {
    return <Empty icon={MessagesSquare} title="No conversation is like that" />;
  }
  if (rows.length === 0) {
    return (
      <Empty icon={MessagesSquare} title="No conversations yet">
        A run makes them. Start one on Runs.
      </Empty>
    );
  }
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {count(rows.length)}
        {hasNextPage ? " and more" : ""}, newest first
      </Text>
      <DataGrid
        label="Conversations"
        rows={rows}
        total={rows.length + (hasNextPage ? 1 : 0)}
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) =>
          void navigate({
            to: "/corpus/$conversation",
            params: { conversation: id },
            search: search,
          })
        }
        onEndReached={more}
      />
    </>
  );
}

const COLUMNS: Column<ConversationSummary>[] = [
  {
    id: "name",
    name: "Conversation",
    width: 220,
    cell: ({ id, preview }) => (
      <>
        <Link
          to="/corpus/$conversation"
          params={{ conversation: id }}
          search={true}
          className="row-link"
          tabIndex={-1}
        >
          {preview || id}
        </Link>
        <Text size="xs" c="dimmed" truncate>
          {id}
        </Text>
      </>
    ),
  },
  {
    id: "status",
    name: "Status",
    width: 114,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: "reason",
    name: "Reason",
    width: 160,
    cell: ({ reason }) => <Text size="sm">{reason}</Text>,
  },
  { id: "persona", name: "Persona", width: 96, wide: true, cell: ({ persona }) => persona },
  {
    id: "turns",
    name: "Turns",
    width: 56,
    number: true,
    wide: true,
    cell: ({ turns }) => count(turns),
  },
  {
    id: "score",
    name: "Score",
    width: 56,
    number: true,
    wide: true,
    cell: ({ score }) => (score === null ? "–" : score.toFixed(2)),
  },
  {
    id: "cost",
    name: "Cost",
    width: 90,
    number: true,
    wide: true,
    cell: ({ cost_micro }) => money(cost_micro),
  },
  {
    id: "made",
    name: "Made",
    width: 96,
    wide: true,
    cell: ({ created_at }) => <When at={created_at} />,
  },
];
