import { Button, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Play, SearchX } from "lucide-react";
import { useCallback } from "react";
import type { RunSummary } from "../api";
import { DataGrid } from "../parts/DataGrid";
import { Empty, Failed, Loading } from "../parts/states";
import { useKey } from "../shell/keys";
import { PageTitle } from "../shell/PageTitle";
import { COLUMNS } from "./columns";
import { Filters } from "./Filters";
import { StartForm } from "./StartForm";
import { isFiltered, NEWEST_FIRST, NO_FILTER, type RunsSearch, type Sort } from "./search";
import { useRuns } from "./useRuns";

const route = getRouteApi("/runs/");

/** Runs: start one, find one, see how the live ones are doing. */
export function RunsPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/runs/" });
  const change = useCallback(
    (part: RunsSearch, replace = false) =>
      void navigate({ search: (before) => ({ ...before, ...part }), replace }),
    [navigate],
  );
  const openForm = () => change({ form: "open" });
  useKey("n", "Start a run", openForm);
  return (
    <Stack gap="md">
      <PageTitle title="Runs">
        {search.form === undefined && (
          <Button leftSection={<Play size={16} aria-hidden />} onClick={openForm}>
            Start run
          </Button>
        )}
      </PageTitle>
      {search.form && (
        <StartForm
          key={`${search.of} ${search.import}`}
          config={search.of}
          source={search.import}
          onClose={() => change({ form: undefined, of: undefined, import: undefined })}
        />
      )}
      <List search={search} onChange={change} />
    </Stack>
  );
}

function List(props: {
  search: RunsSearch;
  onChange: (part: RunsSearch, replace?: boolean) => void;
}) {
  const { search, onChange } = props;
  const navigate = useNavigate();
  const { rows, first, isPending, error, refetch, hasNextPage, isFetching, fetchNextPage } =
    useRuns(search);
  const filtered = isFiltered(search);
  const open = useCallback(
    (run: RunSummary) => void navigate({ to: "/runs/$run", params: { run: run.id } }),
    [navigate],
  );
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);

  if (isPending) return <Loading what="runs" />;
  if (error && first === undefined) {
    return <Failed error={error} what="Runs" onRetry={() => void refetch()} />;
  }
  if (rows.length === 0 && !filtered && !error) {
    return (
      <Empty icon={Play} title="No runs yet">
        A run makes conversations from a run config, or cleans those of an import. Start one to see
        what it would cost first.
      </Empty>
    );
  }
  return (
    <>
      {error && <Failed error={error} what="Runs" onRetry={() => void refetch()} />}
      <Filters search={search} page={first} onChange={onChange} />
      {rows.length === 0 ? (
        <Empty icon={SearchX} title="No run is like that">
          <Button variant="default" onClick={() => onChange(NO_FILTER)}>
            Clear filters
          </Button>
        </Empty>
      ) : (
        <DataGrid
          label="Runs"
          rows={rows}
          total={first?.total ?? rows.length}
          columns={COLUMNS}
          rowId={idOf}
          onOpen={open}
          sort={search.sort ?? NEWEST_FIRST}
          onSort={(sort) => onChange({ sort: sort === NEWEST_FIRST ? undefined : (sort as Sort) })}
          onEndReached={more}
        />
      )}
    </>
  );
}

function idOf(run: RunSummary): string {
  return run.id;
}
