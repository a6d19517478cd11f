/** What the pages ask the catalog; the same requests for each kind. */
import { queryOptions } from "@tanstack/react-query";
import type { CatalogEntry, CatalogPage } from "../api";
import { client } from "../client/client.gen";
import type { Json } from "./json";
import type { Kind } from "./kinds";

/** One version of an object, whole. */
export interface Item extends Omit<CatalogEntry, "body"> {
  body: { [key: string]: Json };
}

export interface Change {
  pointer: string;
  op: "added" | "removed" | "changed";
  before: Json;
  after: Json;
}

export interface Comparison {
  changes: Change[];
  before_yaml: string;
  after_yaml: string;
}

export interface Use {
  kind: string;
  name: string;
  version: number;
  pointer: string;
}

export interface Uses {
  items: Use[];
  /** null: not known. */
  runs: number | null;
  unfinished_runs: number | null;
}

type Query = Record<string, string | number | boolean | undefined>;

/** Ask for JSON below `/api/v1`. */
export async function get<Answer>(path: string, query: Query = {}, signal?: AbortSignal) {
  const { data } = await client.get<{ 200: Answer }, unknown, true>({
    url: `/api/v1${path}`,
    query,
    signal,
    throwOnError: true,
  });
  return data;
}

/** Send JSON, or nothing, to a path below `/api/v1`. */
export async function post<Answer>(
  path: string,
  body?: Json,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const { data } = await client.post<{ 200: Answer }, unknown, true>({
    url: `/api/v1${path}`,
    headers,
    ...(body === undefined
      ? {}
      : { body, headers: { "Content-Type": "application/json", ...headers } }),
    signal,
    throwOnError: true,
  });
  return data;
}

/** The header that names the version which a change is based on. */
export function basedOn(version: number): Record<string, string> {
  return { "If-Match": `"v${version}"` };
}

export function pathOfObject(kind: Kind, name: string): string {
  return `/${kind}/${encodeURIComponent(name)}`;
}

export const PAGE = 200;

export function listPage(
  kind: Kind,
  query: { q: string | undefined; archived: boolean | undefined; cursor: string | undefined },
  signal: AbortSignal,
): Promise<CatalogPage> {
  return get<CatalogPage>(`/${kind}`, { ...query, limit: PAGE }, signal);
}

/** An object in one version, or in its latest. */
export function objectQuery(kind: Kind, name: string, version?: number) {
  return queryOptions({
    queryKey: ["catalog", kind, name, "version", version ?? "latest"],
    // The tag of a version does not change when the object is archived: a browser would keep the old answer.
    queryFn: ({ signal }) => get<Item>(pathOfObject(kind, name), { version }, signal),
    retry: false,
  });
}

export function versionsQuery(kind: Kind, name: string) {
  return queryOptions({
    queryKey: ["catalog", kind, name, "versions"],
    queryFn: async ({ signal }) => {
      const found: CatalogEntry[] = [];
      let cursor: string | undefined;
      do {
        const query: Query = { limit: 1_000, cursor };
        const page: CatalogPage = await get(`${pathOfObject(kind, name)}/versions`, query, signal);
        found.push(...page.items);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return found;
    },
  });
}

export function usesQuery(kind: Kind, name: string) {
  return queryOptions({
    queryKey: ["catalog", kind, name, "uses"],
    queryFn: ({ signal }) => get<Uses>(`${pathOfObject(kind, name)}/uses`, {}, signal),
  });
}

export function comparisonQuery(kind: Kind, name: string, from: number, to: number) {
  return queryOptions({
    queryKey: ["catalog", kind, name, "compare", from, to],
    queryFn: ({ signal }) =>
      get<Comparison>(`${pathOfObject(kind, name)}/compare`, { from, to }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Write a new object, or a new version of the one that was read as `base`. */
export async function save(
  kind: Kind,
  body: Item["body"],
  note: string,
  base?: Item,
): Promise<Item> {
  const options = {
    query: { note: note || undefined },
    body,
    throwOnError: true,
  } as const;
  const headers = { "Content-Type": "application/json" };
  const { data } = base
    ? await client.put<{ 200: Item }, unknown, true>({
        ...options,
        url: `/api/v1${pathOfObject(kind, base.name)}`,
        headers: { ...headers, ...basedOn(base.version) },
      })
    : await client.post<{ 200: Item }, unknown, true>({
        ...options,
        url: `/api/v1/${kind}`,
        headers,
      });
  return data;
}
