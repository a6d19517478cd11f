/** Numbers as people type them. Pure. */
import type { Json } from "../../catalog/json";

const GROUPED = /^[+-]?\d{1,3}([,_\s]\d{3})+(\.\d+)?$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** The number of a text; null for empty text. What is no number stays the text, so that the check can say so. */
export function numberOf(text: string): number | string | null {
  const bare = GROUPED.test(text.trim()) ? text.replaceAll(/[,_\s]/g, "") : text.trim();
  if (bare === "") return null;
  const value = Number(bare);
  const exact = !/^[+-]?\d+$/.test(bare) || Number.isSafeInteger(value);
  return NUMBER.test(bare) && Number.isFinite(value) && exact ? value : bare;
}

export function textOf(value: Json | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}
