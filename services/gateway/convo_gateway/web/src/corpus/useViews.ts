/** Saved views: all of them, and saving, changing and deleting one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createView, deleteView, listViews, replaceView, type SavedView } from "../api";
import { type CorpusSearch, NEWEST_FIRST, queryOf } from "./search";

const KEY = ["views"];

export function useViews() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await listViews({ signal, throwOnError: true })).data.items,
  });
}

/** What is saved of the address. */
function bodyOf(name: string, search: CorpusSearch) {
  const filter = queryOf(search);
  return {
    name,
    filter: { ...filter, text: filter.text ?? "" },
    sort: search.sort ?? NEWEST_FIRST,
    columns: search.cols ?? [],
    density: search.density ?? ("comfortable" as const),
  };
}

interface Kept {
  name: string;
  search: CorpusSearch;
  /** The view that is changed; without, a new one is made. */
  of?: SavedView | undefined;
}

export function useKeepView() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, search, of }: Kept) => {
      const body = bodyOf(name, search);
      if (of === undefined) return (await createView({ body, throwOnError: true })).data;
      const headers = { "If-Match": `"v${of.version}"` };
      return (await replaceView({ path: { view: of.id }, body, headers, throwOnError: true })).data;
    },
    onSettled: () => cache.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteView() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (view: SavedView) =>
      void (await deleteView({ path: { view: view.id }, throwOnError: true })),
    onSettled: () => cache.invalidateQueries({ queryKey: KEY }),
  });
}
