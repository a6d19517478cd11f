/** Exports: the formats there are, the list, and what is done with them. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  cancelExport,
  deleteExport,
  type ExportShown,
  type ExportWish,
  listExports,
  listFormats,
  listVerdictSets,
  startExport,
} from "../api";

const KEY = ["exports"];
const LIVE_MS = 1_000;
const CALM_MS = 30_000;

export function useFormats() {
  return useQuery({
    queryKey: ["export-formats"],
    queryFn: async ({ signal }) => (await listFormats({ signal, throwOnError: true })).data.items,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Names of the verdict sets of a run. */
export function useSetNames(run: string | null | undefined) {
  return useQuery({
    queryKey: ["run", run, "verdict-sets"],
    queryFn: async ({ signal }) =>
      (await listVerdictSets({ path: { run: run ?? "" }, signal, throwOnError: true })).data.items,
    select: (items) => items.map(({ name }) => name),
    enabled: run != null,
  });
}

/** Newest first; asked often while one is being made. */
export function useExports(run: string | undefined) {
  return useInfiniteQuery({
    queryKey: [...KEY, run ?? ""],
    queryFn: async ({ pageParam, signal }) => {
      const query = { run, limit: 50, cursor: pageParam };
      return (await listExports({ query, signal, throwOnError: true })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnderWay)) ? LIVE_MS : CALM_MS,
  });
}

export function isUnderWay({ status }: ExportShown): boolean {
  return status === "queued" || status === "running";
}

export function useStartExport() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ wish, key }: { wish: ExportWish; key: string }) =>
      (await startExport({ body: wish, headers: { "Idempotency-Key": key }, throwOnError: true }))
        .data,
    onSuccess: () => cache.invalidateQueries({ queryKey: KEY }),
  });
}

export function useCancelExport() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) =>
      (await cancelExport({ path: { export: id }, throwOnError: true })).data,
    onSettled: () => cache.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteExport() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      await deleteExport({ path: { export: id }, throwOnError: true });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: KEY }),
  });
}
