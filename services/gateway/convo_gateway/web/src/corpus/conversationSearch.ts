/** State of the page of a conversation in its address: where one is in it, and the list that one came from. */
import { oneOf, shortText } from "../search";
import { type CorpusSearch, readCorpusSearch } from "./search";

export const TABS = ["verdicts", "prompts", "memory", "calls", "history", "json"] as const;
export type Tab = (typeof TABS)[number];

export interface ConversationSearch extends CorpusSearch {
  /** Number of a turn, from 0. */
  turn?: string | undefined;
  tab?: Tab | undefined;
  /** Roughened turns as they were generated; else as they are typed. */
  text?: "generated" | undefined;
}

export function readConversationSearch(raw: Record<string, unknown>): ConversationSearch {
  const turn = shortText(raw.turn, 6);
  const tab = oneOf(raw.tab, TABS);
  return {
    ...readCorpusSearch(raw),
    turn: turn !== undefined && /^\d+$/.test(turn) ? turn : undefined,
    tab: tab === "verdicts" ? undefined : tab,
    text: oneOf(raw.text, ["generated"] as const),
  };
}

/** The list that one came from. */
export function listOf({ turn: _, tab: __, text: ___, ...list }: ConversationSearch): CorpusSearch {
  return list;
}
