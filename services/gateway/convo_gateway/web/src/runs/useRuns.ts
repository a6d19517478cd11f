import {
  type InfiniteData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { listRuns, type RunPage } from "../api";
import { refreshed, toAskFor } from "./refresh";
import { NEWEST_FIRST, type RunsSearch } from "./search";

const PAGE = 200;
const FIRST_PAGE = 100;
const REFRESH_MS = 10_000;

type Pages = InfiniteData<RunPage, string | undefined>;

/** Runs as the filter wants them, more when asked for, live ones refreshed every 10 seconds. */
export function useRuns(search: RunsSearch) {
  const { q, status, config, from, to, sort = NEWEST_FIRST } = search;
  const filter = { q, status, config, from, to, sort };
  const key = ["runs", filter] as const;
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE, cursor: pageParam };
      return (await listRuns({ query, signal, throwOnError: true })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  });
  useRefresh(key, search, filter);
  const pages = list.data?.pages;
  const rows = useMemo(() => {
    const byId = new Map(pages?.flatMap(({ items }) => items).map((run) => [run.id, run]));
    return [...byId.values()];
  }, [pages]);
  return { ...list, rows, first: pages?.[0] };
}

function useRefresh(
  key: readonly unknown[],
  search: RunsSearch,
  filter: NonNullable<Parameters<typeof listRuns>[0]>["query"],
): void {
  const cache = useQueryClient();
  useQuery({
    queryKey: ["refresh", ...key],
    queryFn: async ({ signal }) => {
      const pages = cache.getQueryData<Pages>(key)?.pages;
      if (pages === undefined) return null;
      const query = { ...filter, limit: FIRST_PAGE };
      const first = (await listRuns({ query, signal, throwOnError: true })).data;
      const id = toAskFor(pages, first, PAGE);
      const others =
        id.length === 0
          ? []
          : (await listRuns({ query: { id, limit: PAGE }, signal, throwOnError: true })).data.items;
      cache.setQueryData<Pages>(
        key,
        (old) => old && { ...old, pages: refreshed(old.pages, first, others, search) },
      );
      return null;
    },
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
    staleTime: REFRESH_MS,
    retry: false,
  });
}
