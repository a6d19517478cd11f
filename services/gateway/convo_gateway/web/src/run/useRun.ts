import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { getRun, isGone } from "../api";
import { line } from "../live/line";
import { paced } from "../live/paced";
import { FINAL } from "../runs/search";
import { type RunView, read, told } from "./runView";

const REREAD_MS = 4_000; // what the websocket does not tell: cost by role, pipeline, diversity
const DRAWN_MS = 200; // however often the websocket tells something
export const runKey = (id: string) => ["run", id] as const;

/** A run: its page, with every change that the websocket tells put into the cache. */
export function useRun(id: string) {
  const cache = useQueryClient();
  useEffect(() => follow(cache, id), [cache, id]);
  const run = useQuery({
    queryKey: runKey(id),
    queryFn: async ({ signal }): Promise<RunView> => {
      const { data } = await getRun({ path: { run: id }, signal, throwOnError: true });
      const before = cache.getQueryData<RunView>(runKey(id));
      return read(data, before, line.topic(`run:${id}`).state);
    },
    refetchInterval: ({ state }) => {
      const isOver = state.data !== undefined && FINAL.has(state.data.status);
      return isOver || isGone(state.error) ? false : REREAD_MS;
    },
  });
  return run;
}

function follow(cache: QueryClient, id: string): () => void {
  const name = `run:${id}`;
  const listen = () => {
    const before = cache.getQueryData<RunView>(runKey(id));
    if (before === undefined) return;
    const now = told(before, line.topic(name).state);
    if (now === before) return;
    cache.setQueryData<RunView>(runKey(id), now);
    if (now.status === before.status) return;
    // A new status moves more than is told: the whole page and its parts are read again.
    void cache.invalidateQueries({ queryKey: runKey(id) });
  };
  const heard = paced(listen, DRAWN_MS);
  const leave = line.follow(name, heard);
  return () => {
    leave();
    heard.stop();
  };
}
