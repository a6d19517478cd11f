import { describe, expect, it } from "vitest";
import { howMuch, sourceOf } from "./source";

describe("what a run reads", () => {
  it("stands in its snapshot, and nowhere else", () => {
    const source = { id: "imp-a", name: "old.jsonl", sha256: "ab", count: 312, turns: 9 };
    expect(sourceOf({ source })).toEqual({ id: "imp-a", name: "old.jsonl", count: 312 });
    for (const none of [undefined, null, {}, { source: null }, { source: {} }, { source: "x" }]) {
      expect(sourceOf(none)).toBeUndefined();
    }
  });

  it("is all of the file, or its beginning", () => {
    expect(howMuch(312, { count: 312 })).toBe("All 312 conversations");
    expect(howMuch(1, { count: 1_312 })).toBe("The first 1 of 1,312 conversations");
  });
});
