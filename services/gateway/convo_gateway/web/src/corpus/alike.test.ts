import { describe, expect, it } from "vitest";
import type { Alike, ComparedTurn, Overlap } from "../api";
import { pageWith, partsOf, readAlikeSearch } from "./alike";

const overlap = (turn: number, start: number, end: number, other: number): Overlap => ({
  turn,
  start,
  end,
  other_turn: other,
  other_start: 2,
  other_end: 6,
});
const turn = (number: number, text: string, ...template: [number, number][]): ComparedTurn => ({
  number,
  role: "user",
  text,
  cut: false,
  template: template.map(([start, end]) => ({ start, end })),
});

describe("words that both have", () => {
  it("are cut out on each side, behind characters of two units too", () => {
    const both = [overlap(1, 3, 7, 0)];
    expect(partsOf(turn(1, "🧑 abcd e"), both, "mine")).toEqual([
      { text: "🧑 a", passages: [], opens: false, isTemplate: false },
      { text: "bcd ", passages: [1], opens: true, isTemplate: false },
      { text: "e", passages: [], opens: false, isTemplate: false },
    ]);
    expect(partsOf(turn(0, "xyabcdz"), both, "theirs").map(({ text }) => text)).toEqual([
      "xy",
      "abcd",
      "z",
    ]);
    expect(partsOf(turn(5, "abc"), both, "mine")).toHaveLength(1);
  });

  it("open once, and hold template text", () => {
    const parts = partsOf(turn(0, "0123456789", [2, 4]), [overlap(0, 0, 8, 3)], "mine");
    expect(parts.map(({ text, opens, isTemplate }) => [text, opens, isTemplate])).toEqual([
      ["01", true, false],
      ["23", false, true],
      ["4567", false, false],
      ["89", false, false],
    ]);
  });

  it("may be said again on one side", () => {
    const both = [overlap(1, 0, 4, 0), overlap(3, 0, 4, 0)];
    const parts = partsOf(turn(0, "xyabcdz"), both, "theirs");
    expect(parts.map(({ passages, opens }) => [passages, opens])).toEqual([
      [[], false],
      [[1, 2], true],
      [[], false],
    ]);
  });

  it("are on a page of turns, and what is shown stays", () => {
    const shown = { turns: [turn(60, "a"), turn(61, "b")], of: 400 };
    const of = { mine: shown, theirs: shown } as unknown as Alike;
    expect(pageWith(of, overlap(61, 0, 4, 130))).toEqual({ mine: "60", theirs: "120" });
    expect(pageWith(of, overlap(3, 0, 4, 60))).toEqual({ mine: undefined, theirs: "60" });
  });
});

describe("the address", () => {
  it("keeps what makes sense", () => {
    const raw = { reason: "near_duplicate", mine: "60", theirs: "-1", else: "x" };
    expect(readAlikeSearch(raw)).toEqual({
      reason: "near_duplicate",
      mine: "60",
      theirs: undefined,
    });
    expect(readAlikeSearch({ reason: "role_swap" }).reason).toBeUndefined();
  });
});
