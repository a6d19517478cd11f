/** An amount in US dollars as people type it. Pure. */

/** The amount; null for empty text, undefined for what is no amount above nothing. */
export function dollars(text: string): number | null | undefined {
  const bare = text.replaceAll(/[\s,_]/g, "").replace(/^\$/, "");
  if (bare === "") return null;
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(bare)) return undefined;
  return Number(bare) > 0 ? Number(bare) : undefined;
}
