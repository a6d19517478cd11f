/** What the gateway says of the config as it is written, asked anew a moment after each change. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { checkConfig } from "../api";
import type { Draft } from "../parts/form/draft";
import type { Body } from "./body";

const TYPING_MS = 300;

export function useCheck(draft: Draft) {
  const { settled, moving } = useSettled(draft);
  const query = useQuery({
    queryKey: ["run-config-check", settled],
    queryFn: async ({ signal }) =>
      (await checkConfig({ body: { config: settled as Body }, signal, throwOnError: true })).data,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  const behind = moving || query.isPlaceholderData || query.isPending;
  return { check: query.data, behind, error: query.error };
}

/** The draft as it was when typing last stopped; only a beginning and an end of typing draw anew what is around it. */
function useSettled(draft: Draft) {
  const [settled, setSettled] = useState(draft.value);
  const [moving, setMoving] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = draft.subscribe(() => {
      setMoving(true);
      clearTimeout(timer);
      timer = setTimeout(() => {
        setSettled(draft.value);
        setMoving(false);
      }, TYPING_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [draft]);
  return { settled, moving };
}
