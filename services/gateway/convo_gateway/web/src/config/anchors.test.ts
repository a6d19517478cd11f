import { expect, test } from "vitest";
import { anchoredScores } from "./anchors";

test("each score of a short scale has a line, highest first", () => {
  expect(anchoredScores([1, 5], ["5"])).toEqual(["5", "4", "3", "2", "1"]);
  expect(anchoredScores([-1, 1], [])).toEqual(["1", "0", "-1"]);
});

test("a long scale has its ends and its middle, and what is described already", () => {
  expect(anchoredScores([0, 100], ["90"])).toEqual(["100", "90", "50", "0"]);
});

test("what is described stays in sight when the scale is not one yet", () => {
  expect(anchoredScores([5, "?"], ["7", "x"])).toEqual(["7"]);
  expect(anchoredScores([5, 1], [])).toEqual([]);
});
