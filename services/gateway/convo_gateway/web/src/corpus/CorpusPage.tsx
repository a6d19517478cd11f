import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import {
  ClipboardCheck,
  FileInput,
  MessagesSquare,
  SearchX,
  SlidersHorizontal,
} from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import type { ConversationSummary, Facets as Counted } from "../api";
import { CorpusExport } from "../exports/CorpusExport";
import { DataGrid } from "../parts/DataGrid";
import { SearchField } from "../parts/SearchField";
import { Empty, Failed, Loading } from "../parts/states";
import { PageTitle } from "../shell/PageTitle";
import { Chips } from "./Chips";
import "./conversation.css";
import "./corpus.css";
import { columnsOf } from "./columns";
import { Facets } from "./Facets";
import { howMany, matches } from "./facetWords";
import { Looks } from "./Looks";
import { Peek } from "./Peek";
import {
  type CorpusFilter,
  type CorpusSearch,
  isFiltered,
  NEWEST_FIRST,
  NO_FILTER,
  SORTS,
  type Sort,
} from "./search";
import { useConversations, useFacets } from "./useCorpus";
import { Views } from "./Views";

const route = getRouteApi("/corpus/");
const SORT_WORDS: Record<Sort, string> = {
  "-created": "Newest first",
  created: "Oldest first",
  "-score": "Best score first",
  score: "Lowest score first",
  "-cost": "Most expensive first",
  cost: "Cheapest first",
  "-turns": "Most turns first",
  turns: "Fewest turns first",
  "-words": "Most words first",
  words: "Fewest words first",
};
const FILTERS = Object.keys(NO_FILTER).filter((name) => name !== "q") as (keyof CorpusFilter)[];

/** The same list, to be gone through by a reviewer. */
function queueOf({ cols: _, density: __, peek: ___, view: ____, ...list }: CorpusSearch) {
  return list;
}

/** Every conversation of every run: narrowed, searched, sorted, looked into. */
export function CorpusPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/corpus/" });
  const [filtering, setFiltering] = useState(false);
  const { data: counted, error: uncounted } = useFacets(search);
  const change = useCallback(
    (part: CorpusSearch, replace = false) =>
      void navigate({ search: (before) => ({ ...before, ...part }), replace }),
    [navigate],
  );
  const filters = howMany(search, FILTERS);
  return (
    <Stack gap="sm">
      <PageTitle title="Corpus">
        <Views
          search={search}
          onOpen={(view) => void navigate({ search: view })}
          onChange={(part) => change(part)}
        />
        <Looks search={search} onChange={(part) => change(part)} />
        <Button
          variant="default"
          leftSection={<ClipboardCheck size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/review" search={queueOf(search)} {...props} />}
        >
          Review these
        </Button>
        <ImportsLink />
        <CorpusExport search={search} />
      </PageTitle>
      <div className="corpus-bar">
        <SearchField
          label="Search the text of the turns"
          placeholder='Words, or "a phrase"'
          q={search.q ?? ""}
          onChange={(q) => change({ q: q || undefined }, true)}
        />
        <NativeSelect
          aria-label="Sort by"
          value={search.sort ?? NEWEST_FIRST}
          data={SORTS.map((sort) => ({ value: sort, label: SORT_WORDS[sort] }))}
          onChange={({ currentTarget }) => change({ sort: orderOf(currentTarget.value) })}
        />
        <Button
          className="facets-button"
          variant="default"
          leftSection={<SlidersHorizontal size={16} aria-hidden />}
          aria-expanded={filtering}
          aria-controls="facets"
          onClick={() => setFiltering(!filtering)}
        >
          Filters{filters > 0 ? ` (${filters})` : ""}
        </Button>
        <Text size="sm" c="dimmed" role="status" className="matches">
          {counted && matches(counted, isFiltered(search))}
          {uncounted && !counted && "Not counted"}
        </Text>
      </div>
      <Chips search={search} counted={counted} onChange={change} />
      <div className="corpus-columns" data-peek={search.peek ? true : undefined}>
        <aside
          id="facets"
          className="facets"
          aria-label="Filters"
          data-open={filtering || undefined}
        >
          <Facets search={search} counted={counted} onChange={change} />
        </aside>
        <div className="corpus-list">
          <List search={search} counted={counted} onChange={change} />
        </div>
        {search.peek && <Peek id={search.peek} onClose={() => change({ peek: undefined }, true)} />}
      </div>
    </Stack>
  );
}

function ImportsLink() {
  return (
    <Button
      variant="default"
      leftSection={<FileInput size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/imports" {...props} />}
    >
      Import
    </Button>
  );
}

function List(props: {
  search: CorpusSearch;
  counted: Counted | undefined;
  onChange: (part: CorpusSearch, replace?: boolean) => void;
}) {
  const { search, counted, onChange } = props;
  const navigate = useNavigate();
  const { rows, isPending, data, error, refetch, hasNextPage, isFetching, fetchNextPage } =
    useConversations(search);
  const columns = useMemo(() => columnsOf(search.cols), [search.cols]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const peek = useCallback(
    (id: string | undefined, replace: boolean) => onChange({ peek: id }, replace),
    [onChange],
  );
  if (isPending) return <Loading what="conversations" />;
  if (data === undefined) {
    return <Failed error={error} what="Conversations" onRetry={() => void refetch()} />;
  }
  if (rows.length === 0) return <Nothing search={search} onChange={onChange} />;
  const open = ({ id }: ConversationSummary) =>
    void navigate({
      to: "/corpus/$conversation",
      params: { conversation: id },
      search: { ...search, peek: undefined },
    });
  return (
    <DataGrid
      label="Conversations"
      rows={rows}
      total={totalOf(counted, rows.length, hasNextPage)}
      columns={columns}
      rowId={idOf}
      onOpen={open}
      sort={search.sort ?? NEWEST_FIRST}
      onSort={(sort) => onChange({ sort: orderOf(sort) })}
      onEndReached={more}
      compact={search.density === "compact"}
      peek={search.peek}
      onPeek={peek}
    />
  );
}

function Nothing(props: { search: CorpusSearch; onChange: (part: CorpusSearch) => void }) {
  if (!isFiltered(props.search)) {
    return (
      <Empty icon={MessagesSquare} title="No conversations yet">
        A run makes them. Start one on Runs, or bring some in on Imports.
      </Empty>
    );
  }
  return (
    <Empty icon={SearchX} title="No conversation is like that">
      <Button variant="default" onClick={() => props.onChange(NO_FILTER)}>
        Clear filters
      </Button>
    </Empty>
  );
}

function idOf({ id }: ConversationSummary): string {
  return id;
}

function orderOf(sort: string): Sort | undefined {
  return sort === NEWEST_FIRST ? undefined : (sort as Sort);
}

/** Rows that there are; where nobody has counted them all, one more than are loaded. */
function totalOf(counted: Counted | undefined, loaded: number, hasMore: boolean): number {
  if (!hasMore) return loaded;
  return Math.max(loaded + 1, counted?.exact ? counted.total : 0);
}
