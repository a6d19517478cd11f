import { expect, it } from "vitest";
import { formOf, lineRange } from "./files";

it.each([
  ["a.jsonl", "", "jsonl"],
  ["a.CSV", '{"name": "x"}', "csv"],
  ["", '\n{"name": "x"}', "jsonl"],
  ["", "name,style", "csv"],
])("%j with %j is %s", (name, text, form) => expect(formOf(name, text)).toBe(form));

it("a line is found by its number", () => {
  const text = "one\ntwo\n\nfour";
  expect([1, 2, 3, 4].map((line) => text.slice(...lineRange(text, line)))).toEqual([
    "one",
    "two",
    "",
    "four",
  ]);
  expect(lineRange(text, 9)).toEqual([text.length, text.length]);
});
