import { useQuery } from "@tanstack/react-query";
import { getBeside, getConversation, getPrompts, listConversationEvents } from "../api";
import type { CorpusSearch } from "./search";

const OPEN_REREAD_MS = 5_000;

/** A conversation; read again while it has no verdict. */
export function useConversation(id: string) {
  return useQuery({
    queryKey: ["conversation", id],
    queryFn: async ({ signal }) =>
      (await getConversation({ path: { conversation: id }, signal, throwOnError: true })).data,
    refetchInterval: ({ state }) => (state.data?.status === "open" ? OPEN_REREAD_MS : false),
  });
}

/** The ones before and after it in the list that one came from. */
export function useBesideOf(id: string, list: CorpusSearch) {
  const { layer, ...others } = list;
  return useQuery({
    queryKey: ["conversation", id, "beside", list],
    queryFn: async ({ signal }) => {
      const query = { ...others, layer: layer && Number(layer) };
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
