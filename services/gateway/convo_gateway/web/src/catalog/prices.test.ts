import { describe, expect, it } from "vitest";
import { daysWords, rateWords, usd, windowWords } from "./prices";

it.each([
  [[0, 1, 2, 3, 4], "Mon-Fri"],
  [[5, 6], "Sat-Sun"],
  [[0, 2, 4], "Mon, Wed, Fri"],
  [[6], "Sun"],
  [[0, 1, 2, 3, 4, 5, 6], "every day"],
  [undefined, "every day"],
  [[], "no day"],
])("days %j are %s", (days, words) => expect(daysWords(days)).toBe(words));

describe("a window", () => {
  const night = { start: "22:00:00", end: "06:00:00", weekdays: [0, 1, 2, 3, 4] };

  it("is told with its zone", () => {
    expect(windowWords({ ...night, zone: "Europe/Berlin" })).toBe(
      "Mon-Fri 22:00-06:00 Europe/Berlin",
    );
  });

  it("that begins when it ends is a day long", () => {
    expect(windowWords({ ...night, end: "22:00" })).toBe("Mon-Fri all day from 22:00 UTC");
  });
});

it.each([
  ["2.5", "$2.50"],
  [0, "$0.00"],
  ["0.075", "$0.075"],
  [null, ""],
])("%j dollars are %s", (value, words) => expect(usd(value)).toBe(words));

it("a rate that is not there says what is paid instead", () => {
  expect(rateWords({ input: "2", output: "8" }, "cached_input")).toBe("as input");
  expect(rateWords({ input: "2", output: "8" }, "per_request")).toBe("$0.00");
});
