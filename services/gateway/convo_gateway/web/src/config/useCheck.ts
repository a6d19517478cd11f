/** What the gateway says of the config as it is written, asked anew a moment after each change. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { checkConfig } from "../api";
import type { Draft } from "../parts/form/draft";
import type { Body } from "./body";

const TYPING_MS = 300;

export function useCheck(draft: Draft) {
  const value = useSyncExternalStore(draft.subscribe, () => draft.value);
  const [settled] = useDebouncedValue(value, TYPING_MS);
  const query = useQuery({
    queryKey: ["run-config-check", settled],
    queryFn: async ({ signal }) =>
      (await checkConfig({ body: { config: settled as Body }, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  const behind = settled !== value || query.isPlaceholderData || query.isPending;
  return { check: query.data, behind, error: query.error };
}
