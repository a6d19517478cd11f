import { describe, expect, it } from "vitest";
import { filled, inWords, stacked } from "./series";
import { inWords as told } from "./story";

const minute = (at: string, accepted: number) => ({
  minute: `2026-03-01T${at}:00Z`,
  accepted,
  rejected: 1,
  failed: 0,
});

describe("verdicts by minute", () => {
  it("have no gaps", () => {
    const series = filled([minute("12:00", 3), minute("12:03", 5)], "all");
    expect(series.accepted).toEqual([3, 0, 0, 5]);
    expect(series.rejected).toEqual([1, 0, 0, 1]);
    expect(inWords(series)).toBe("10 verdicts in 4 minutes, at most 6 in one");
  });

  it("end with the last hour", () => {
    const series = filled([minute("12:00", 3), minute("13:30", 5)], "hour");
    expect(series.at).toHaveLength(60);
    expect(series.accepted.at(-1)).toBe(5);
    expect(filled([], "hour").at).toEqual([]);
  });

  it("stand on each other", () => {
    expect(
      stacked([
        [1, 2],
        [3, 0],
        [1, 1],
      ]),
    ).toEqual([
      [1, 2],
      [4, 2],
      [5, 3],
    ]);
  });
});

describe("an event in words", () => {
  it("says who paused it and why", () => {
    expect(told({ type: "run.paused", event: { reason: "requested" } }).why).toBe("by a person");
    expect(told({ type: "run.paused", event: { reason: "spend_cap", detail: "At 5 $." } })).toEqual(
      {
        what: "Paused",
        why: "spend_cap: At 5 $.",
        about: "state",
      },
    );
  });

  it("counts what a kick sent again, and shows what it does not know as it is", () => {
    expect(told({ type: "run.kicked", event: { threads: 1 } })).toEqual({
      what: "Kicked",
      why: "1 thread sent again",
      about: "kick",
    });
    expect(told({ type: "run.odd", event: null }).what).toBe("run.odd");
  });
});
