import { useCallback, useSyncExternalStore } from "react";
import { type LineStatus, line } from "./line";
import type { Topic } from "./topic";

export function useLineStatus(): LineStatus {
  return useSyncExternalStore(line.onStatus, () => line.status);
}

/** A topic of the websocket, such as `run:<id>`, as it is now. */
export function useTopic(name: string): Topic {
  const follow = useCallback((listener: () => void) => line.follow(name, listener), [name]);
  return useSyncExternalStore(follow, () => line.topic(name));
}
