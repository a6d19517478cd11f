import { describe, expect, it } from "vitest";
import type { Judgement, TallyShown } from "../api";
import {
  answered,
  askedFor,
  avoidedWords,
  comparedShare,
  optionWords,
  tallyWords,
  unjudged,
} from "./judging";

it("says why there is no answer of a judge", () => {
  expect(unjudged({ status: "rejected", layer: 1 })).toContain("before the judge");
  expect(unjudged({ status: "rejected", layer: 2 })).toContain("before the judge");
  expect(unjudged({ status: "accepted", layer: null })).toContain("no judge");
  expect(unjudged({ status: "open", layer: null })).toContain("yet");
  expect(unjudged({ status: "failed", layer: 0 })).toBe("No judge has answered.");
});

const tally: TallyShown = {
  reducer: "median",
  scored: 3,
  planned: 6,
  asked: 4,
  passing: 2,
  judges: [
    { judge: "a/b", score: 4, scored: 2, asked: 2 },
    { judge: "a/c", score: null, scored: 0, asked: 2 },
  ],
  spread: null,
  compared: "undecided",
};

const one: Judgement = {
  step: 4,
  purpose: "verdict",
  seat: 0,
  sample: 1,
  judge: "a/b",
  state: "scored",
  score: 4,
  better: "",
  criteria: [],
  why: "",
  reason: "",
  detail: "",
  note: "",
  cached_from: "",
  avoided_micro: null,
  at: "2026-03-01T12:00:00Z",
};

describe("what judges said", () => {
  it("says how many of the planned samples count, and why not all", () => {
    expect(tallyWords(tally)).toBe(
      "median of the samples, then the mean of the judges; 3 of 6 planned samples scored, 2 of them pass; " +
        "1 could not be read; 2 left out, as no score could change the verdict.",
    );
  });
  it("names every kind of question and of answer", () => {
    expect([askedFor(one), answered(one)]).toEqual(["sample 2", "4.00"]);
    const swapped: Judgement = {
      ...one,
      purpose: "comparison",
      state: "compared",
      better: "reference",
    };
    expect([askedFor(swapped), answered(swapped)]).toEqual([
      "comparison, example first",
      "example better",
    ]);
    expect(askedFor({ ...one, purpose: "recheck" })).toBe("recheck, not counted");
    expect(answered({ ...one, state: "out_of_range", score: null })).toBe("out of range");
  });
  it("never calls an avoided cost nothing where it is not known", () => {
    expect(avoidedWords(one)).toBeUndefined();
    const cached = { ...one, cached_from: "run-a.0.0" };
    expect(avoidedWords(cached)).toContain("not known");
    expect(avoidedWords({ ...cached, avoided_micro: 4_200 })).toContain("$0.0042 avoided");
  });
  it("says only what is asked beside one score", () => {
    const plain = {
      samples: 1,
      reducer: "mean",
      panel: [],
      comparison: null,
      recheck_share: 0,
      cache: false,
    };
    expect(optionWords(plain)).toBe("");
    expect(optionWords({ ...plain, panel: ["a/c"], recheck_share: 0.05 })).toBe(
      "1 sample, mean; with a/c; 5.0\u00a0% judged once more",
    );
  });
  it("gives no rate over nothing", () => {
    const none = {
      example: "e",
      worse: "record" as const,
      compared: 0,
      better: 0,
      worse_count: 0,
      tie: 0,
      undecided: 0,
      unparsed: 0,
    };
    expect(comparedShare(0, none)).toBe("none compared yet");
    expect(comparedShare(1, { ...none, compared: 4 })).toContain("1 (25");
  });
});
