/** State of the page Corpus in its address. */
import type { ConversationSummary } from "../api";
import { oneOf, shortText } from "../search";

export type ConversationStatus = ConversationSummary["status"];

export const STATUSES: readonly ConversationStatus[] = [
  "accepted",
  "rejected",
  "failed",
  "open",
  "cancelled",
];

export interface CorpusSearch {
  run?: string | undefined;
  status?: ConversationStatus | undefined;
  reason?: string | undefined;
  layer?: "0" | "1" | "2" | "3" | undefined;
  persona?: string | undefined;
}

export function readCorpusSearch(raw: Record<string, unknown>): CorpusSearch {
  return {
    run: shortText(raw.run),
    status: oneOf(raw.status, STATUSES),
    reason: shortText(raw.reason),
    layer: oneOf(raw.layer, ["0", "1", "2", "3"] as const),
    persona: shortText(raw.persona),
  };
}
