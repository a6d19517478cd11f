import { expect, test } from "vitest";
import type { Distributions, Grams, RoleLengths } from "../api";
import {
  distinctWords,
  frequentOf,
  gramWords,
  lengthBars,
  lengthWords,
  openingCount,
  populationWords,
} from "./distributions";

const EXACT: Grams = {
  n: 3,
  distinct: 0.41234,
  different: 412,
  total: 999,
  estimated: false,
  standard_error: null,
};

test("an estimate says so, with its error", () => {
  expect(distinctWords(EXACT)).toBe("0.412");
  expect(gramWords(EXACT)).toBe("412 different of 999");
  const about = { ...EXACT, estimated: true, standard_error: 0.01625 };
  expect(distinctWords(about)).toBe("about 0.412");
  expect(gramWords(about)).toBe("about 412 different of 999, ± 1.6 %");
});

test("nothing is not zero", () => {
  const none = { ...EXACT, distinct: null, different: 0, total: 0 };
  expect([distinctWords(none), gramWords(none)]).toEqual(["–", "none yet"]);
  const turns: RoleLengths = { role: "user", turns: 0, mean: null, longest: 0, bins: [] };
  expect([lengthWords(turns), lengthBars(turns)]).toEqual(["no turn yet", []]);
});

test("a number stands with its population", () => {
  const of = (over: "last" | "all", value: number, all: number) =>
    populationWords({ over, conversations: { value, of: all } } as Distributions);
  expect(of("last", 40, 40)).toBe("all 40 accepted");
  expect(of("last", 100, 12_431)).toBe("last 100 of 12,431 accepted");
  expect(of("all", 12_431, 12_431)).toBe("all 12,431 accepted");
  expect(of("all", 12_400, 12_431)).toBe("12,400 of 12,431 accepted counted so far");
});

test("bars reach from the shortest turn to the longest", () => {
  const bins = [
    { fewest: 0, most: 0, turns: 0 },
    { fewest: 1, most: 5, turns: 3 },
    { fewest: 6, most: 10, turns: 0 },
    { fewest: 641, most: null, turns: 1 },
  ];
  const bars = lengthBars({ role: "user", turns: 4, mean: 2, longest: 700, bins });
  expect(bars.map(({ name, short, said }) => [name, short, said])).toEqual([
    ["1 to 5 words", "1", "3 (75\u00a0%)"],
    ["6 to 10 words", "6", "0 (0\u00a0%)"],
    ["641 words or more", "641+", "1 (25\u00a0%)"],
  ]);
});

test("an opening is counted between its bounds, and once is not frequent", () => {
  expect(openingCount({ phrase: "hi", at_least: 41, at_most: 41 })).toBe("41");
  expect(openingCount({ phrase: "hi", at_least: 40, at_most: 52 })).toBe("40 to 52");
  const once = { phrase: "so", at_least: 1, at_most: 9 };
  expect(frequentOf([once, { ...once, at_least: 2 }])).toHaveLength(1);
});
