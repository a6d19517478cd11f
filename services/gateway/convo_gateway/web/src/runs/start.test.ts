import { describe, expect, it } from "vitest";
import { Failure } from "../api";
import {
  NOTHING,
  offeredFor,
  refusedFor,
  startOf,
  targetHint,
  wantedOf,
  wholeNumber,
} from "./start";

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
    expect(startOf(quick, undefined, undefined)).toEqual({ config: "quick" });
  });

  it("carries what is typed", () => {
    const choice = {
      config: "quick",
      target: "20",
      seed: "0",
      name: " mine ",
      cap: "2.50",
      offPeak: true,
      source: "imp-left-over",
    };
    expect(startOf(choice, "dialogue", 7)).toEqual({
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
    expect(startOf({ ...quick, seed: "x" }, undefined, undefined)).toBeUndefined();
    expect(wantedOf({ ...quick, target: "many" }, undefined)).toBeUndefined();
    expect(wantedOf({ ...quick, cap: "0" }, undefined)).toBeUndefined();
    expect(wantedOf(NOTHING, undefined)).toBeUndefined();
  });

  it("does not ask for another estimate because of a seed or a name", () => {
    expect(wantedOf({ ...quick, seed: "3", name: "n" }, undefined)).toEqual(
      wantedOf(quick, undefined),
    );
  });
});

describe("a run over an import", () => {
  const clean = { ...NOTHING, config: "clean", source: "imp-a" };

  it("names the import, and is not asked for without one", () => {
    expect(startOf({ ...clean, target: "5" }, "import", undefined)).toEqual({
      config: "clean",
      import_source: "imp-a",
      target_count: 5,
    });
    expect(wantedOf({ ...clean, source: "" }, "import")).toBeUndefined();
  });

  it("says how many conversations there will be", () => {
    const of = (mode: string, target: number) => ({ mode, target });
    expect(targetHint(of("import", 1_000), { taken: 312 })).toBe("All 312 conversations");
    expect(targetHint(of("import", 100), { taken: 312 })).toContain("The first 100 of 312");
    expect(targetHint(of("import", 1_000), undefined)).toBe("At most 1,000 in the config");
    expect(targetHint(of("dialogue", 6), { taken: 312 })).toBe("6 in the config");
  });

  it("is offered configs that read one, where an import is chosen already", () => {
    const rest = { version: 1, target: 1, seed: 1, cap: null };
    const configs = [
      { name: "clean", mode: "import", ...rest },
      { name: "chats", mode: "dialogue", ...rest },
    ];
    expect(offeredFor(configs, "imp-a").map(({ name }) => name)).toEqual(["clean"]);
    expect(offeredFor(configs, "")).toEqual(configs);
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
