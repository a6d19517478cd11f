import { describe, expect, it } from "vitest";
import { dayOf, daysOf, PRESETS, presetOf, realDay } from "./days";
import { isFiltered, NO_FILTER, readRunsSearch } from "./search";

const TODAY = "2026-03-01";

describe("days", () => {
  it("are days of UTC", () => {
    expect(dayOf(Date.parse("2026-03-01T23:59:59Z"))).toBe("2026-03-01");
    expect(dayOf(Date.parse("2026-03-02T00:30:00+02:00"))).toBe("2026-03-01");
  });

  it("count today among the last seven and the last thirty", () => {
    expect(daysOf("today", TODAY)).toEqual({ from: "2026-03-01" });
    expect(daysOf("week", TODAY)).toEqual({ from: "2026-02-23" });
    expect(daysOf("month", TODAY)).toEqual({ from: "2026-01-31" });
  });

  it("are known again as the choice that they came from", () => {
    for (const preset of PRESETS) expect(presetOf(daysOf(preset, TODAY), TODAY)).toBe(preset);
    expect(presetOf({ from: "2026-02-23", to: TODAY }, TODAY)).toBeUndefined();
    expect(presetOf({ from: "2026-02-22" }, TODAY)).toBeUndefined();
    expect(presetOf({}, TODAY)).toBeUndefined();
  });

  it("that do not exist are dropped from the address", () => {
    for (const wrong of [
      "2026-02-30",
      "2026-2-1",
      "today",
      "0000-01-01",
      "20260301",
      "",
      "2026-13-01",
    ])
      expect(realDay(wrong)).toBeUndefined();
    const read = readRunsSearch({ from: "2026-02-28", to: "2026-02-30" });
    expect([read.from, read.to]).toEqual(["2026-02-28", undefined]);
  });

  it("are a filter that can be cleared", () => {
    expect(isFiltered({ from: TODAY })).toBe(true);
    expect(isFiltered({ sort: "name", ...NO_FILTER })).toBe(false);
  });
});
