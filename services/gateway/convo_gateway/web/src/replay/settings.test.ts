import { expect, test } from "vitest";
import { asText } from "./search";
import { type Base, changesOf, formOf, frozenOf, readChanges, wordsOf } from "./settings";

const BASE: Base = {
  threshold: 3,
  near_duplicate: 0.7,
  example_copy: null,
  rules: { wrong_length: { enabled: true, parameters: { tolerance: 2, most_words: 90 } } },
  lists: ["sales"],
};

test("nothing is changed where the form says what the run had", () => {
  expect(changesOf(BASE, formOf(BASE, {}))).toEqual({});
  const spelt = { ...formOf(BASE, {}), rules: { ...BASE.rules, empty_turn: { enabled: true } } };
  expect(changesOf(BASE, spelt)).toEqual({});
});

test("changes come back from the form that they made", () => {
  const changes = {
    threshold: 3.5,
    near_duplicate: null,
    example_copy: 0.4,
    rules: {
      stage_direction: { enabled: false },
      wrong_length: { enabled: true, parameters: { tolerance: 0, most_words: null } },
    },
    filter_lists: { sales: { latest: true, add: ["buy now"] } },
  };
  expect(changesOf(BASE, formOf(BASE, changes))).toEqual(changes);
  expect(readChanges(asText(changes))).toEqual(changes);
  expect(wordsOf(changes)).toEqual([
    "threshold 3.5",
    "near-duplicate limit off",
    "copy limit 0.4",
    "stage_direction off",
    "wrong_length tolerance 0, most words at default",
    "list sales as it stands today, with 1 more",
  ]);
});

test("a rule that goes back to its defaults is a change", () => {
  const form = { ...formOf(BASE, {}), rules: {} };
  expect(changesOf(BASE, form)).toEqual({
    rules: { wrong_length: { enabled: true, parameters: { tolerance: null, most_words: null } } },
  });
});

test("what a run froze is read as far as it decides verdicts, whatever else is in it", () => {
  const config = { judge: { threshold: 4, scale: [1, 5] }, diversity: { near_duplicate: 0.6 } };
  const { base, scale } = frozenOf({ config, filter_lists: [{ name: "a" }] });
  expect([base.threshold, base.near_duplicate, base.example_copy]).toEqual([4, 0.6, null]);
  expect([base.lists, scale]).toEqual([["a"], [1, 5]]);
  expect(frozenOf(undefined).scale).toBeUndefined();
  expect(readChanges("no json")).toEqual({});
});
