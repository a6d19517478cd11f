import { describe, expect, it } from "vitest";
import {
  absolute,
  brief,
  bytes,
  duration,
  money,
  percent,
  plural,
  relative,
  several,
} from "./format";

it.each([
  [null, "unknown"],
  [undefined, "unknown"],
  [0, "$0.00"],
  [12, "$0.000012"],
  [16_571, "$0.01657"],
  [250_000, "$0.25"],
  [300_000, "$0.30"],
  [-16_571, "-$0.01657"],
  [999_950, "$1.00"],
  [1_234_567, "$1.23"],
  [1_234_567_890, "$1,234.57"],
])("%j micro-dollars are %s", (micro, text) => expect(money(micro)).toBe(text));

it.each([
  [0, "0 s"],
  [59.4, "59 s"],
  [60, "1 min"],
  [3_900, "1 h 5 min"],
  [90_000, "1 d 1 h"],
  [86_400, "1 d"],
  [-5, "0 s"],
])("%d seconds are %s", (seconds, text) => expect(duration(seconds)).toBe(text));

describe("a moment", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  it.each([
    ["2026-03-01T11:59:55Z", "just now"],
    ["2026-03-01T11:59:30Z", "30 s ago"],
    ["2026-03-01T11:01:00Z", "59 min ago"],
    ["2026-02-27T12:00:00Z", "2 d ago"],
    ["2026-03-01T14:00:00Z", "in 2 h"],
  ])("%s is %s", (at, text) => expect(relative(at, now)).toBe(text));

  it("is told exactly too", () => {
    expect(absolute("2026-03-01T12:00:00.123+01:00")).toBe("2026-03-01 11:00:00 UTC");
  });
});

it("counts in words", () => {
  expect(plural(1, "run")).toBe("1 run");
  expect(plural(12_000, "run")).toBe("12,000 runs");
  expect(percent(0.8)).toBe("80\u00a0%");
  expect(percent(0.034)).toBe("3.4\u00a0%");
});

it.each([
  [0, "0"],
  [9_999, "9,999"],
  [12_345, "12.35K"],
  [2_750_000, "2.75M"],
])("%d is %s in brief", (value, text) => expect(brief(value)).toBe(text));

it("names the first of many", () => {
  const names = Array.from({ length: 1_044 }, (_, at) => `n${at}`);
  expect(several(names.slice(0, 8))).toBe("n0, n1, n2, n3, n4, n5, n6, n7");
  expect(several(names)).toBe("n0, n1, n2, n3, n4, n5 and 1,038 more, 1,044 in all");
  expect(several([])).toBe("");
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [123_456, "123 kB"],
  [12_345_678, "12.3 MB"],
  [2_000_000_000, "2.0 GB"],
])("%d bytes are %s", (size, text) => expect(bytes(size)).toBe(text));
