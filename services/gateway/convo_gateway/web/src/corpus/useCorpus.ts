/** The list of conversations and its numbers, as the address wants them. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { getFacets, listConversations } from "../api";
import { type CorpusSearch, NEWEST_FIRST, queryOf } from "./search";

const PAGE = 200;

/** Conversations page by page; the ones of the filter before stay until there are new ones. */
export function useConversations(search: CorpusSearch) {
  const filter = { ...queryOf(search), sort: search.sort ?? NEWEST_FIRST };
  const list = useInfiniteQuery({
    queryKey: ["conversations", "list", filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE, cursor: pageParam };
      return (await listConversations({ query, signal, throwOnError: true })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const pages = list.data?.pages;
  const rows = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]);
  return { ...list, rows };
}

/** How many conversations the filter leaves, and each other choice would. */
export function useFacets(search: CorpusSearch) {
  const query = queryOf(search);
  return useQuery({
    queryKey: ["conversations", "facets", query],
    queryFn: async ({ signal }) => (await getFacets({ query, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
}
