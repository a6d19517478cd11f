import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import {
  getBeside,
  getConversation,
  getPrompts,
  isGone,
  listConversationEvents,
  listTurns,
  type StoredTurn,
} from "../api";
import { type CorpusSearch, NEWEST_FIRST, queryOf } from "./search";

const OPEN_REREAD_MS = 5_000;
/** Turns that are read at once. */
const PAGE = 500;
const NONE: StoredTurn[] = [];
/** Turns that the panel beside the list shows. */
const PEEKED = 12;

/** A conversation; read again while it has no verdict. Of a long one the first turns come first, then the others. */
export function useConversation(id: string) {
  const first = useQuery({
    queryKey: ["conversation", id],
    queryFn: async ({ signal }) => {
      const query = { turns: PAGE };
      const path = { conversation: id };
      return (await getConversation({ path, query, signal, throwOnError: true })).data;
    },
    refetchInterval: ({ state }) =>
      state.data?.status === "open" && !isGone(state.error) ? OPEN_REREAD_MS : false,
  });
  const others = useOtherTurns(id, first.data?.turns ?? 0);
  const data = useMemo(() => {
    if (first.data === undefined || others.length === 0) return first.data;
    return { ...first.data, messages: [...first.data.messages, ...others] };
  }, [first.data, others]);
  return { ...first, data };
}

/** The turns behind the first page, page by page until there are no more. */
function useOtherTurns(id: string, turns: number): StoredTurn[] {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ["conversation", id, "turns", turns],
    queryFn: async ({ pageParam, signal }) => {
      const query = { first: pageParam, limit: PAGE };
      return (await listTurns({ path: { conversation: id }, query, signal, throwOnError: true }))
        .data.items;
    },
    initialPageParam: PAGE,
    getNextPageParam: (page, _, from) => (page.length === PAGE ? from + PAGE : undefined),
    enabled: turns > PAGE,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return useMemo(() => data?.pages.flat() ?? NONE, [data]);
}

/** A conversation with its first turns alone. */
export function usePeek(id: string) {
  return useQuery({
    queryKey: ["conversation", id, "peek"],
    queryFn: async ({ signal }) => {
      const query = { turns: PEEKED };
      return (
        await getConversation({ path: { conversation: id }, query, signal, throwOnError: true })
      ).data;
    },
    placeholderData: keepPreviousData,
  });
}

/** The ones before and after it in the list that one came from. */
export function useBesideOf(id: string, list: CorpusSearch) {
  const query = { ...queryOf(list), sort: list.sort ?? NEWEST_FIRST };
  return useQuery({
    queryKey: ["conversation", id, "beside", query],
    queryFn: async ({ signal }) => {
      return (await getBeside({ path: { conversation: id }, query, signal, throwOnError: true }))
        .data;
    },
  });
}

/** What the plan drew for it, and its prompts as they were sent. */
export function usePrompts(id: string) {
  return useQuery({
    queryKey: ["conversation", id, "prompts"],
    queryFn: async ({ signal }) =>
      (await getPrompts({ path: { conversation: id }, signal, throwOnError: true })).data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Its events in the archive, oldest first. */
export function useEvents(id: string) {
  return useQuery({
    queryKey: ["conversation", id, "events"],
    queryFn: async ({ signal }) => {
      const path = { conversation: id };
      return (await listConversationEvents({ path, signal, throwOnError: true })).data.items;
    },
  });
}
