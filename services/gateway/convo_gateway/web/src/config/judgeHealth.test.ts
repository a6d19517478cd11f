import { describe, expect, it } from "vitest";
import { healthInWords, JUDGE_HEALTH } from "./judgeHealth";

describe("what a config does about a sick judge", () => {
  it("is nothing where it says nothing", () => {
    expect(healthInWords(undefined)).toBe("is reported, and the run goes on");
    expect(healthInWords(null)).toBe("is reported, and the run goes on");
  });

  it("names what is measured, by its own limits or the usual ones", () => {
    const usual =
      "pauses the run: over 20\u00a0% of the last answers without a verdict; under 70\u00a0% agreement with itself";
    expect(healthInWords(JUDGE_HEALTH)).toBe(usual);
    expect(healthInWords({})).toBe(usual);
    const spread = { max_failure_rate: null, min_spread: 0.1, min_self_agreement: null };
    expect(healthInWords(spread)).toBe("pauses the run: scores that spread less than 0.1");
    expect(healthInWords({ ...spread, min_spread: null })).toBe("is not measured");
  });
});
