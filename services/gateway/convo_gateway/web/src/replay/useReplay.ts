/** Replays and verdict sets of a run: asked for, followed until they are done, kept. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  deleteReplay,
  deleteVerdictSet,
  type Flip,
  getReplay,
  getSnapshot,
  getVerdictSet,
  keepReplay,
  listFlips,
  listVerdictSetFlips,
  listVerdictSets,
  type Replay,
  type ReplayChanges,
  startReplay,
} from "../api";
import { frozenOf } from "./settings";

type Status = Flip["status"];
const LIVE_MS = 400;
const PAGE = 200;

export function useFrozen(run: string) {
  return useQuery({
    queryKey: ["run", run, "snapshot"],
    queryFn: async ({ signal }) =>
      frozenOf((await getSnapshot({ path: { run }, signal, throwOnError: true })).data),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function isUnderWay({ state }: Replay): boolean {
  return state === "waiting" || state === "running";
}

export function useReplay(run: string, replay: string | undefined) {
  return useQuery({
    queryKey: ["run", run, "replays", replay],
    queryFn: async ({ signal }) =>
      (await getReplay({ path: { run, replay: replay ?? "" }, signal, throwOnError: true })).data,
    enabled: replay !== undefined,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data) ? LIVE_MS : false,
  });
}

export function useStartReplay(run: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ changes, key }: { changes: ReplayChanges; key: string }) => {
      const headers = { "Idempotency-Key": key };
      const path = { run };
      return (await startReplay({ path, body: changes, headers, throwOnError: true })).data;
    },
    onSuccess: (made) => cache.setQueryData(["run", run, "replays", made.id], made),
  });
}

export function useCancelReplay(run: string) {
  return useMutation({
    mutationFn: (replay: string) => deleteReplay({ path: { run, replay }, throwOnError: true }),
  });
}

export function useKeepReplay(run: string, replay: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) =>
      (await keepReplay({ path: { run, replay }, body: { name }, throwOnError: true })).data,
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: ["run", run, "replays", replay] });
      void cache.invalidateQueries({ queryKey: ["run", run, "verdict-sets"] });
    },
  });
}

export function useDeleteVerdictSet(run: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => deleteVerdictSet({ path: { run, name }, throwOnError: true }),
    onSuccess: (_, name) => {
      cache.removeQueries({ queryKey: ["run", run, "verdict-sets", name] });
      void cache.invalidateQueries({ queryKey: ["run", run, "verdict-sets"], exact: true });
      void cache.invalidateQueries({ queryKey: ["run", run, "replays"] });
    },
  });
}

export function useVerdictSets(run: string) {
  return useQuery({
    queryKey: ["run", run, "verdict-sets"],
    queryFn: async ({ signal }) =>
      (await listVerdictSets({ path: { run }, signal, throwOnError: true })).data.items,
  });
}

export function useVerdictSet(run: string, name: string | undefined) {
  return useQuery({
    queryKey: ["run", run, "verdict-sets", name],
    queryFn: async ({ signal }) =>
      (await getVerdictSet({ path: { run, name: name ?? "" }, signal, throwOnError: true })).data,
    enabled: name !== undefined,
  });
}

/** Whose flips: a replay's or a verdict set's. */
export type Source = { replay: string } | { set: string };

export function useFlips(run: string, source: Source, was?: Status, status?: Status) {
  return useInfiniteQuery({
    queryKey: ["run", run, "flips", source, was, status],
    queryFn: async ({ pageParam, signal }) => {
      const query = { was, status, limit: PAGE, cursor: pageParam };
      if ("set" in source) {
        const path = { run, name: source.set };
        return (await listVerdictSetFlips({ path, query, signal, throwOnError: true })).data;
      }
      const path = { run, replay: source.replay };
      return (await listFlips({ path, query, signal, throwOnError: true })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
