import { describe, expect, it } from "vitest";
import { guessedHeight, seenAnd } from "./windowed";

describe("the turns in the page", () => {
  it("are those that are seen and those that have to stay, in order and once", () => {
    expect(seenAnd([4, 5, 6], [-1, -1])).toEqual([4, 5, 6]);
    expect(seenAnd([4, 5, 6], [2, 9])).toEqual([2, 4, 5, 6, 9]);
    expect(seenAnd([4, 5, 6], [5, 5])).toEqual([4, 5, 6]);
  });

  it("are guessed to be as high as their lines", () => {
    expect(guessedHeight("")).toBe(guessedHeight("short"));
    expect(guessedHeight("a\nb\nc")).toBeGreaterThan(guessedHeight("a b c"));
    expect(guessedHeight("x".repeat(800))).toBeGreaterThan(guessedHeight("x".repeat(80)));
  });
});
