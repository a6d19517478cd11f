/** What a run of mode import reads, from what was frozen at its start. Pure. */
import { count, plural } from "../format";

export interface Source {
  id: string;
  name: string;
  /** Conversations that there are. */
  count: number;
}

/** The source in a snapshot; undefined where there is none. */
export function sourceOf(snapshot: unknown): Source | undefined {
  const { source } = (snapshot ?? {}) as { source?: Partial<Source> | null };
  if (typeof source?.id !== "string" || typeof source.count !== "number") return undefined;
  return { id: source.id, name: source.name ?? source.id, count: source.count };
}

/** Such as `All 312 conversations`; the name of the file follows. */
export function howMuch(target: number, { count: all }: Pick<Source, "count">): string {
  return target < all
    ? `The first ${count(target)} of ${plural(all, "conversation")}`
    : `All ${plural(all, "conversation")}`;
}
