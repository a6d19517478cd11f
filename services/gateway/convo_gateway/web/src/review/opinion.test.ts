import { expect, it } from "vitest";
import type { ReviewShown, StoredTurn } from "../api";
import { bodyOf, edited, isSame, NOTHING, saidBy } from "./opinion";

const turn: StoredTurn = {
  number: 3,
  role: "assistant",
  text: "As made.",
  raw: null,
  kept: "",
  finish: "stop",
};
const review: ReviewShown = {
  version: 2,
  reviewer: "Ana",
  decision: "flagged",
  reason: "tone",
  note: "",
  edits: [{ turn: 1, text: "Hello." }],
  at: "2026-03-01T12:00:00Z",
};

it("begins with what the latest review says", () => {
  expect(saidBy(review)).toEqual({
    decision: "flagged",
    reason: "tone",
    note: "",
    edits: { 1: "Hello." },
  });
  expect(saidBy(null)).toEqual(NOTHING);
});

it("keeps an edit until the turn reads as it was made", () => {
  const changed = edited(saidBy(review), turn, "Otherwise.");
  expect(bodyOf(changed, "Ana", []).edits).toEqual([
    { turn: 1, text: "Hello." },
    { turn: 3, text: "Otherwise." },
  ]);
  expect(isSame(edited(changed, turn, "As made."), saidBy(review))).toBe(true);
  expect(isSame(changed, saidBy(review))).toBe(false);
});
