import { expect, it } from "vitest";
import { linesOf, repeatsIn, valuesOf } from "./lines";

it.each([[["a", " b ", "c\\d"]], [["two\nlines", "one"]], [["the sign \u2424 itself"]], [[]]])(
  "%j comes back as it went",
  (values) => expect(valuesOf(linesOf(values))).toEqual(values),
);

it("empty lines are no values", () => expect(valuesOf("a\n\n  \nb\n")).toEqual(["a", "b"]));

it("repeats are counted", () => {
  expect(repeatsIn(["a", "b", "a", "a"])).toEqual({ count: 2, some: ["a"] });
});
