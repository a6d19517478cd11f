import { describe, expect, it } from "vitest";
import { Failure } from "../api";
import { NOTHING, refusedFor, startOf, wantedOf, wholeNumber } from "./start";

const quick = { ...NOTHING, config: "quick" };

describe("a whole number", () => {
  it.each([
    ["", null],
    ["  ", null],
    ["12", 12],
    ["12,000", 12_000],
    ["0", 0],
  ])("is read from %j", (text, number) => expect(wholeNumber(text)).toBe(number));

  it.each(["-1", "1.5", "1e3", "ten", "99999999999999999999"])("is not %j", (text) =>
    expect(wholeNumber(text)).toBeUndefined(),
  );
});

describe("a request", () => {
  it("leaves to the config what is not typed", () => {
    expect(startOf(quick, undefined)).toEqual({ config: "quick" });
  });

  it("carries what is typed", () => {
    const choice = {
      config: "quick",
      target: "20",
      seed: "0",
      name: " mine ",
      cap: "2.50",
      offPeak: true,
    };
    expect(startOf(choice, 7)).toEqual({
      config: "quick",
      target_count: 20,
      seed: 0,
      name: "mine",
      spend_cap_usd: 2.5,
      start: "off_peak",
      confirm_estimate_micro: 7,
    });
  });

  it("is not made of what is no number", () => {
    expect(startOf({ ...quick, seed: "x" }, undefined)).toBeUndefined();
    expect(wantedOf({ ...quick, target: "many" })).toBeUndefined();
    expect(wantedOf({ ...quick, cap: "0" })).toBeUndefined();
    expect(wantedOf(NOTHING)).toBeUndefined();
  });

  it("does not ask for another estimate because of a seed or a name", () => {
    expect(wantedOf({ ...quick, seed: "3", name: "n" })).toEqual(wantedOf(quick));
  });
});

it("reads the threshold from a refusal", () => {
  const problem = {
    type: "urn:convo:problem:needs-confirmation",
    title: "",
    status: 409,
    estimate_micro: 9,
    threshold_micro: 4,
  };
  expect(refusedFor(new Failure(problem))).toEqual({ estimateMicro: 9, thresholdMicro: 4 });
  expect(
    refusedFor(new Failure({ ...problem, type: "urn:convo:problem:conflict" })),
  ).toBeUndefined();
});
