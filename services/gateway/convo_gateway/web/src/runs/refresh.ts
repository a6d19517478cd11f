/** A loaded list of runs brought up to date, in place: nothing moves that did not change. Pure. */
import type { RunPage, RunSummary } from "../api";
import { FINAL, NEWEST_FIRST, type RunsSearch } from "./search";

/** Ids of loaded runs that may have changed and that a fresh first page does not tell of. */
export function toAskFor(pages: RunPage[], first: RunPage, most: number): string[] {
  const told = new Set(first.items.map(({ id }) => id));
  return pages
    .flatMap(({ items }) => items)
    .filter(({ id, status }) => !FINAL.has(status) && !told.has(id))
    .map(({ id }) => id)
    .slice(0, most);
}

/** The pages with fresh rows in the place of old ones, without those that the filter does not want any more. */
export function refreshed(
  pages: RunPage[],
  first: RunPage,
  others: RunSummary[],
  search: RunsSearch,
): RunPage[] {
  const fresh = new Map([...others, ...first.items].map((run) => [run.id, run]));
  const wanted = ({ status }: RunSummary) => search.status?.includes(status) ?? true;
  const known = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const newest = pages[0]?.items[0]?.planned_at ?? "";
  const added =
    (search.sort ?? NEWEST_FIRST) === NEWEST_FIRST
      ? first.items.filter(({ id, planned_at }) => !known.has(id) && planned_at >= newest)
      : [];
  return pages.map((page, at) => {
    const items = page.items.map((run) => fresh.get(run.id) ?? run).filter(wanted);
    if (at > 0) return { ...page, items };
    const { total, statuses, configs } = first;
    return { ...page, items: [...added, ...items], total, statuses, configs };
  });
}
