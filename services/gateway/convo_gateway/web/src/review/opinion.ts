/** What a reviewer is about to say of a conversation, and how its turns would read. Pure. */
import type { ReviewShown, StoredTurn } from "../api";

export type Decision = ReviewShown["decision"];

export interface Opinion {
  decision: Decision;
  reason: string;
  note: string;
  /** Turn to its text, for those that read otherwise than they were made. */
  edits: Record<number, string>;
}

export const NOTHING: Opinion = { decision: "", reason: "", note: "", edits: {} };

/** What the latest review says; nothing where there is none. */
export function saidBy(review: ReviewShown | null | undefined): Opinion {
  if (!review) return NOTHING;
  const edits = Object.fromEntries(review.edits.map(({ turn, text }) => [turn, text]));
  return { decision: review.decision, reason: review.reason, note: review.note, edits };
}

/** The opinion with another text for a turn; the text that was made takes the edit away. */
export function edited(opinion: Opinion, turn: StoredTurn, text: string): Opinion {
  const { [turn.number]: _, ...others } = opinion.edits;
  return { ...opinion, edits: text === turn.text ? others : { ...others, [turn.number]: text } };
}

/** As the gateway takes it. */
export function bodyOf(opinion: Opinion, reviewer: string, despite: string[]) {
  const edits = Object.entries(opinion.edits).map(([turn, text]) => ({ turn: Number(turn), text }));
  const { decision, reason, note } = opinion;
  return { reviewer, decision, reason, note, edits, despite };
}

export function isSame(one: Opinion, other: Opinion): boolean {
  return JSON.stringify(bodyOf(one, "", [])) === JSON.stringify(bodyOf(other, "", []));
}

/** What a decision is called once it is made. */
export const DECIDED: Record<Decision, string> = {
  accepted: "accepted",
  rejected: "rejected",
  flagged: "flagged",
  "": "no decision",
};
