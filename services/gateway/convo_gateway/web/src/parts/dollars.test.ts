import { describe, expect, it } from "vitest";
import { dollars } from "./dollars";

describe("an amount in dollars", () => {
  it.each([
    ["", null],
    ["25", 25],
    ["$25.50", 25.5],
    ["1,000", 1000],
    ["0.000001", 0.000001],
  ])("is read from %j", (text, amount) => expect(dollars(text)).toBe(amount));

  it.each(["0", "-1", "1e3", "ten", "1.2.3", "1.", "10000000000", "0.0000001", "Infinity"])(
    "is not %j",
    (text) => expect(dollars(text)).toBeUndefined(),
  );
});
