/** What the start form asks of the gateway: configs, an estimate, the start. */
import { useDebouncedValue } from "@mantine/hooks";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { estimateRun, listRunConfigs, listRuns, type Start, startRun } from "../api";
import { type Choice, headlineOf, wantedOf } from "./start";

const TYPING_MS = 300;
const STARTED_UNSEEN = 202;
const LOOK_MS = 500;
const LOOKS = 240;

export function useConfigs() {
  return useQuery({
    queryKey: ["run-configs"],
    queryFn: async ({ signal }) => {
      const { data } = await listRunConfigs({
        query: { limit: 1_000 },
        signal,
        throwOnError: true,
      });
      return data.items.map(headlineOf);
    },
  });
}

/** What the choice would cost; asked a moment after typing, and not before it is known what the config is. */
export function useEstimate(choice: Choice, mode: string | undefined, isKnown: boolean) {
  const [{ target, cap }] = useDebouncedValue(choice, TYPING_MS);
  const wanted = isKnown ? wantedOf({ ...choice, target, cap }, mode) : undefined;
  const query = useQuery({
    queryKey: ["estimate", wanted],
    queryFn: async ({ signal }) =>
      (await estimateRun({ body: wanted ?? { config: "" }, signal, throwOnError: true })).data,
    enabled: wanted !== undefined,
    placeholderData: (before, query) =>
      query && sameConfig(query.queryKey, choice.config) ? before : undefined,
    staleTime: 30_000,
  });
  const isTyped = target !== choice.target || cap !== choice.cap;
  const behind = !isKnown || isTyped || query.isPlaceholderData || query.isFetching;
  return { answer: behind ? undefined : query.data, last: query.data, behind, error: query.error };
}

function sameConfig(key: readonly unknown[], config: string): boolean {
  return (key[1] as { config?: string } | undefined)?.config === config;
}

/** Returns when the run can be read, a while after its start where the machine is busy; then its page says what is. */
async function untilThereIs(cache: QueryClient, run: string): Promise<void> {
  const look = async () => {
    const { data } = await listRuns({ query: { id: [run], limit: 1 }, throwOnError: true });
    if (data.items.length === 0) throw new Error(`run ${run} is not to be seen yet`);
    return null;
  };
  const often = { retry: LOOKS, retryDelay: LOOK_MS };
  await cache.fetchQuery({ queryKey: ["started", run], queryFn: look, ...often }).catch(() => null);
}

export function useStart() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Start; key: string }) => {
      const headers = { "Idempotency-Key": key };
      const { data, response } = await startRun({ body, headers, throwOnError: true });
      if (response.status === STARTED_UNSEEN) await untilThereIs(cache, data.id);
      return data;
    },
    onSuccess: async ({ id }) => {
      void cache.invalidateQueries({ queryKey: ["runs"] });
      await navigate({ to: "/runs/$run", params: { run: id } });
    },
  });
}
