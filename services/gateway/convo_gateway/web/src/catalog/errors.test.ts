import { expect, it } from "vitest";
import { plainer, pointed } from "./errors";

it.each([
  ["Field required", "This is needed."],
  ["Value error, segments missing: user", "segments missing: user"],
  ["String should match pattern '^[a-z0-9][a-z0-9._-]{0,99}$'", "Lower-case"],
  ["Input should be greater than or equal to 1", "At least 1."],
  ["Input should be less than or equal to 10000000", "At most 10,000,000."],
  ["Input should be greater than 0", "More than 0."],
  ["something else", "something else"],
])("%j is told as %j", (detail, words) => expect(plainer(detail)).toContain(words));

it("a list with entries that are wrong is not said to be too short", () => {
  const tooFew = {
    pointer: "/models",
    detail: "Tuple should have at least 1 item after validation",
  };
  const inside = { pointer: "/models/0/name", detail: "Field required" };
  expect(pointed([tooFew, inside])).toEqual([inside]);
  expect(pointed([tooFew, { detail: "x" }])).toEqual([tooFew, { pointer: "", detail: "x" }]);
});
