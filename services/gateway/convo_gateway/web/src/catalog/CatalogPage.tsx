import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Plus, SearchX, Upload } from "lucide-react";
import { useCallback, useMemo } from "react";
import { count } from "../format";
import { DataGrid } from "../parts/DataGrid";
import { SearchField } from "../parts/SearchField";
import { Empty, Failed, Loading } from "../parts/states";
import { useKey } from "../shell/keys";
import { PageTitle } from "../shell/PageTitle";
import "./catalog.css";
import { columnsOf } from "./columns";
import { KindTabs } from "./KindTabs";
import { type Kind, WORDS } from "./kinds";
import { listPage } from "./objects";
import type { ListSearch } from "./search";
import { usedByQuery } from "./size";
import { ExportLink } from "./transfer/ExportLink";

const route = getRouteApi("/catalog/$kind/");

/** The objects of one kind: find one, make one, bring some in, take them all out. */
export function CatalogPage() {
  const kind = route.useParams().kind as Kind;
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/catalog/$kind/" });
  const change = (part: ListSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace });
  useKey(
    "n",
    `New ${WORDS[kind].one}`,
    () => void navigate({ to: "/catalog/$kind/new", params: { kind } }),
  );
  return (
    <Stack gap="md">
      <PageTitle title={WORDS[kind].many}>
        <ExportLink kind={kind} />
        <ImportLink kind={kind} />
        <NewLink kind={kind} />
      </PageTitle>
      <KindTabs chosen={kind} />
      <Text size="sm" c="dimmed">
        {WORDS[kind].purpose}
      </Text>
      <Group gap="sm">
        <SearchField
          key={kind}
          label={`Search ${WORDS[kind].many.toLowerCase()}`}
          placeholder="Name or summary"
          q={search.q ?? ""}
          onChange={(q) => change({ q: q || undefined }, true)}
        />
        <Switch
          label="Archived"
          checked={search.archived === "yes"}
          onChange={({ currentTarget }) =>
            change({ archived: currentTarget.checked ? "yes" : undefined })
          }
        />
      </Group>
      <List key={kind} kind={kind} search={search} onChange={change} />
    </Stack>
  );
}

function List(props: { kind: Kind; search: ListSearch; onChange: (part: ListSearch) => void }) {
  const { kind, search, onChange } = props;
  const navigate = useNavigate();
  const { rows, isPending, error, refetch, hasNextPage, isFetching, fetchNextPage } = useObjects(
    kind,
    search,
  );
  const used = useQuery({ ...usedByQuery(), enabled: kind !== "run-configs" });
  const columns = useMemo(() => columnsOf(kind, used.data), [kind, used.data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  if (isPending) return <Loading what={WORDS[kind].many.toLowerCase()} />;
  if (error && rows.length === 0) {
    return <Failed error={error} what={WORDS[kind].many} onRetry={() => void refetch()} />;
  }
  if (rows.length === 0) return <Nothing kind={kind} search={search} onChange={onChange} />;
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {count(rows.length)}
        {hasNextPage ? " and more" : ""}, by name
      </Text>
      <DataGrid
        label={WORDS[kind].many}
        rows={rows}
        total={rows.length + (hasNextPage ? 1 : 0)}
        columns={columns}
        rowId={({ name }) => name}
        onOpen={({ name }) => void navigate({ to: "/catalog/$kind/$name", params: { kind, name } })}
        onEndReached={more}
      />
    </>
  );
}

function useObjects(kind: Kind, search: ListSearch) {
  const { q, archived } = search;
  const list = useInfiniteQuery({
    queryKey: ["catalog", kind, "list", q, archived],
    queryFn: ({ pageParam, signal }) =>
      listPage(kind, { q, archived: archived && true, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: (before) => before,
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  return { ...list, rows };
}

/** Nothing is like that; or nothing is there yet, and what to do about it. */
function Nothing(props: { kind: Kind; search: ListSearch; onChange: (part: ListSearch) => void }) {
  const { kind, search, onChange } = props;
  const { one, many, icon, purpose } = WORDS[kind];
  if (search.q !== undefined) {
    return (
      <Empty icon={SearchX} title={`No ${one} is like that`}>
        <Button variant="default" onClick={() => onChange({ q: undefined })}>
          Clear the search
        </Button>
      </Empty>
    );
  }
  if (search.archived) {
    return (
      <Empty icon={icon} title={`No archived ${one}`}>
        Archived ones are hidden from lists and can be brought back.
      </Empty>
    );
  }
  return (
    <Empty icon={icon} title={`No ${many.toLowerCase()} yet`}>
      <Text maw={520}>{purpose}</Text>
      <Group gap="xs" mt="xs">
        <NewLink kind={kind} />
        <ImportLink kind={kind} />
      </Group>
    </Empty>
  );
}

function NewLink({ kind }: { kind: Kind }) {
  return (
    <Button
      renderRoot={(props) => <Link to="/catalog/$kind/new" params={{ kind }} {...props} />}
      leftSection={<Plus size={16} aria-hidden />}
    >
      New {WORDS[kind].one}
    </Button>
  );
}

function ImportLink({ kind }: { kind: Kind }) {
  const rows = kind === "personas" || kind === "voices" || kind === "pools" ? kind : undefined;
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/catalog/import" search={{ kind: rows }} {...props} />}
      leftSection={<Upload size={16} aria-hidden />}
    >
      Import
    </Button>
  );
}
