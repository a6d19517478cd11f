import { expect, it } from "vitest";
import { filterWords } from "./filterWords";

it("names what is chosen and leaves out what is not", () => {
  expect(
    filterWords({ status: ["rejected", "failed"], run: [], score_from: 0, edited: null }),
  ).toBe("status is rejected or failed, score_from is 0");
  expect(filterWords({ edited: false, text: "a b" })).toBe("edited is false, text is a b");
  expect(filterWords({})).toBe("nothing is left out");
});
