/** State of the page Review in its address: which conversations, how they are gone through, and where one is. */
import { type CorpusSearch, readCorpusSearch } from "../corpus/search";
import { oneOf, shortText } from "../search";

export const PARTS = ["reason", "layer", "persona", "voice", "run", "config"] as const;
export type Part = (typeof PARTS)[number];

export interface ReviewSearch extends CorpusSearch {
  /** One by one, or many at once. */
  show?: "list" | undefined;
  /** A sample of `n` for each value of this, instead of all. */
  per?: Part | undefined;
  n?: string | undefined;
  seed?: string | undefined;
  /** The conversation that is looked at. */
  at?: string | undefined;
}

export function readReviewSearch(raw: Record<string, unknown>): ReviewSearch {
  return {
    ...readCorpusSearch(raw),
    show: oneOf(raw.show, ["list"] as const),
    per: oneOf(raw.per, PARTS),
    n: wholeNumber(raw.n),
    seed: wholeNumber(raw.seed),
    at: shortText(raw.at, 200),
  };
}

function wholeNumber(value: unknown): string | undefined {
  const text = shortText(value, 15);
  return text !== undefined && /^\d+$/.test(text) ? text : undefined;
}
