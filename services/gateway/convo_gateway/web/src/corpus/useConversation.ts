import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { failureOf, getBeside, getConversation, getPrompts, listConversationEvents } from "../api";
import { type CorpusSearch, NEWEST_FIRST, queryOf } from "./search";

const OPEN_REREAD_MS = 5_000;
/** Turns that the panel beside the list shows. */
const PEEKED = 12;

/** Whether there is no such thing any more: then nobody asks again. */
function isGone(error: unknown): boolean {
  return error != null && failureOf(error).status === 404;
}

/** A conversation; read again while it has no verdict. */
export function useConversation(id: string) {
  return useQuery({
    queryKey: ["conversation", id],
    queryFn: async ({ signal }) =>
      (await getConversation({ path: { conversation: id }, signal, throwOnError: true })).data,
    refetchInterval: ({ state }) =>
      state.data?.status === "open" && !isGone(state.error) ? OPEN_REREAD_MS : false,
  });
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
