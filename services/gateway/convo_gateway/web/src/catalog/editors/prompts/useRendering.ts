/** A prompt set as it is typed, rendered a moment after the last key. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { CatalogPage } from "../../../api";
import type { Json } from "../../json";
import type { Kind } from "../../kinds";
import { get, post } from "../../objects";
import { type Cast, poolsIn, type Rendering, requestOf } from "./draftRender";

const TYPING_MS = 300;
const MOST = 1_000;

/** The names of a kind, for a choice. */
export function useNames(kind: Kind): string[] {
  const { data } = useQuery({
    queryKey: ["catalog", kind, "names"],
    queryFn: async ({ signal }) => {
      const page = await get<CatalogPage>(`/${kind}`, { limit: MOST }, signal);
      return page.items.map(({ name }) => name);
    },
    staleTime: 30_000,
  });
  return useMemo(() => data ?? [], [data]);
}

export function useRendering(draft: Json, cast: Cast, pools: readonly string[]) {
  const used = useMemo(() => poolsIn(draft, pools), [draft, pools]);
  const drawn = useRef<Record<string, string>>({});
  const [wanted] = useDebouncedValue(
    useMemo(() => ({ draft, cast, used }), [draft, cast, used]),
    TYPING_MS,
    { leading: true },
  );
  const query = useQuery({
    queryKey: ["catalog-render", wanted],
    queryFn: async ({ signal }) => {
      const body = requestOf(wanted.draft, wanted.cast, wanted.used, drawn.current);
      const answer = await post<Rendering>("/prompt-sets/render", body, {}, signal);
      drawn.current = { ...drawn.current, ...answer.pools };
      return answer;
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    retry: false,
  });
  const behind = wanted.draft !== draft || wanted.cast !== cast || query.isFetching;
  return { rendering: query.data, error: query.error, behind, used };
}
