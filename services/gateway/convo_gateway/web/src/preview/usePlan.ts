/** The plan of a config, a window at a time. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { type PlannedConversation, previewConfig, previewConfigPrompts } from "../api";

/** Which plan: undefined is as the config says. */
export interface PlanOf {
  config: string;
  version?: number | undefined;
  target_count?: number | undefined;
  seed?: number | undefined;
}

export const WINDOW = 100;
const SCROLLING_MS = 90;
const KEPT_MS = 60_000;

function windowQuery(plan: PlanOf, at: number) {
  return queryOptions({
    queryKey: ["plan", plan, at],
    queryFn: async ({ signal }) => {
      const body = { ...plan, offset: at * WINDOW, limit: WINDOW };
      return (await previewConfig({ body, signal, throwOnError: true })).data;
    },
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    retry: false,
  });
}

/** What the whole plan holds. */
export function usePlan(plan: PlanOf) {
  return useQuery({ ...windowQuery(plan, 0), placeholderData: keepPreviousData });
}

export interface InSight {
  /** By number; those on their way are missing. */
  found: Map<number, PlannedConversation>;
  /** Numbers of those that have the same draw as another one near them. */
  alike: Set<number>;
}

/** The conversations in sight. */
export function useConversations(plan: PlanOf, [first, last]: readonly [number, number]): InSight {
  const [from, to] = [Math.floor(first / WINDOW), Math.floor(last / WINDOW)];
  const [settled] = useDebouncedValue(`${from} ${to}`, SCROLLING_MS);
  const [low = 0, high = 0] = settled.split(" ").map(Number);
  const windows = useQueries({
    queries: Array.from({ length: high - low + 1 }, (_, n) => windowQuery(plan, low + n)),
  });
  const answers = windows.flatMap(({ data }) => data ?? []);
  return {
    found: new Map(
      answers.flatMap(({ window }) => window).map((planned) => [planned.index, planned]),
    ),
    alike: new Set(answers.flatMap(({ collisions }) => collisions.in_window.flat())),
  };
}

export function usePromptsOf(plan: PlanOf, index: number) {
  return useQuery({
    queryKey: ["plan", plan, "prompts", index],
    queryFn: async ({ signal }) =>
      (await previewConfigPrompts({ body: { ...plan, index }, signal, throwOnError: true })).data,
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    retry: false,
  });
}
