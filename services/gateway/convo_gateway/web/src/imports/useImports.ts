/** Imports: the list, one of them, its refused rows, and letting go of it. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { deleteImport, getImport, type ImportShown, listImports, listRefusedRows } from "../api";

const KEY = ["imports"] as const;
const LIVE_MS = 1_000;
const CALM_MS = 30_000;
const ROWS = 100;

export function isReading({ status }: ImportShown): boolean {
  return status === "reading";
}

/** Newest first; asked often while one is being read. */
export function useImports() {
  return useInfiniteQuery({
    queryKey: [...KEY, "list"],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 100, cursor: pageParam };
      return (await listImports({ query, signal, throwOnError: true })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isReading)) ? LIVE_MS : CALM_MS,
  });
}

export function useImport(source: string) {
  return useQuery({
    queryKey: [...KEY, source],
    queryFn: async ({ signal }) =>
      (await getImport({ path: { source }, signal, throwOnError: true })).data,
    refetchInterval: ({ state }) => (state.data && isReading(state.data) ? LIVE_MS : false),
  });
}

/** Refused rows in the order of the file; `of` changes while the file is read. */
export function useRefusedRows(source: string, of: number) {
  return useInfiniteQuery({
    queryKey: [...KEY, source, "refused", of],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: ROWS, after: pageParam };
      return (await listRefusedRows({ path: { source }, query, signal, throwOnError: true })).data;
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_row ?? undefined,
    placeholderData: (before) => before,
    enabled: of > 0,
  });
}

export function useDeleteImport() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (source: string) => {
      await deleteImport({ path: { source }, throwOnError: true });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: [...KEY, "list"] }),
  });
}

/** Is told when a file has arrived. */
export function useArrived(): (arrived: ImportShown) => void {
  const cache = useQueryClient();
  return (arrived) => {
    cache.setQueryData([...KEY, arrived.id], arrived);
    void cache.invalidateQueries({ queryKey: [...KEY, "list"] });
  };
}
