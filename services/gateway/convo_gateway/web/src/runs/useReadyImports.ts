import { useQuery } from "@tanstack/react-query";
import { getImport, type ImportShown, listImports } from "../api";

const MOST = 500;

/** Imports that are ready, newest first, and the one that is named in any case, however old it is. */
export function useReadyImports(enabled: boolean, named: string) {
  return useQuery({
    queryKey: ["imports", "ready", named],
    queryFn: async ({ signal }) => {
      const { items } = (await listImports({ query: { limit: MOST }, signal, throwOnError: true }))
        .data;
      const missing = named !== "" && !items.some(({ id }) => id === named);
      const older = missing ? [await one(named, signal)] : [];
      return [...items, ...older].filter(({ status }) => status === "ready");
    },
    enabled,
  });
}

async function one(source: string, signal: AbortSignal): Promise<ImportShown> {
  return (await getImport({ path: { source }, signal, throwOnError: true })).data;
}
