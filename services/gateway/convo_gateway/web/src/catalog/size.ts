/** How many objects of a kind the catalog has, and which of them the run configs name. */
import { queryOptions } from "@tanstack/react-query";
import type { CatalogPage } from "../api";
import { isObject, type Json } from "./json";
import type { Kind } from "./kinds";
import { get } from "./objects";

const MOST = 1_000;

export interface Size {
  least: number;
  /** Whether there are more than were counted. */
  more: boolean;
}

export function sizeQuery(kind: Kind) {
  return queryOptions({
    queryKey: ["catalog", kind, "size"],
    queryFn: async ({ signal }): Promise<Size> => {
      const page = await get<CatalogPage & { total?: number }>(`/${kind}`, { limit: MOST }, signal);
      return page.total === undefined
        ? { least: page.items.length, more: page.next_cursor !== null }
        : { least: page.total, more: false };
    },
    staleTime: 30_000,
  });
}

/** Kind and name to how many run configs name the object; undefined where there are too many configs to say. */
export function usedByQuery() {
  return queryOptions({
    queryKey: ["catalog", "run-configs", "used-by"],
    queryFn: async ({ signal }) => {
      const query = { limit: MOST, bodies: true };
      const page = await get<CatalogPage>("/run-configs", query, signal);
      if (page.next_cursor !== null) return null;
      const found = new Map<string, number>();
      for (const { body } of page.items) {
        for (const named of namedBy((body ?? {}) as { [key: string]: Json })) {
          found.set(named, (found.get(named) ?? 0) + 1);
        }
      }
      return found;
    },
    staleTime: 30_000,
  });
}

/** Everything that a run config names, such as `pools/topics`. */
export function namedBy(config: { [key: string]: Json }): Set<string> {
  const roles = isObject(config.roles) ? Object.values(config.roles) : [];
  return new Set([
    ...[config.prompt_set].map((name) => `prompt-sets/${name}`),
    ...namesIn(config.personas).map((name) => `personas/${name}`),
    ...namesIn(config.voices).map((name) => `voices/${name}`),
    ...namesIn(config.pools).map((name) => `pools/${name}`),
    ...namesIn(config.filter_lists).map((name) => `filter-lists/${name}`),
    ...roles.filter(isObject).map(({ backend }) => `backends/${backend}`),
  ]);
}

function namesIn(list: Json | undefined): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((entry) => String(isObject(entry) ? entry.name : entry));
}
