import { describe, expect, it } from "vitest";
import { splitsOf, USUAL, wishOf } from "./wish";

describe("splits", () => {
  it("reads names and shares", () => {
    expect(splitsOf("train=0.9, test=0.1")).toEqual({ train: 0.9, test: 0.1 });
    expect(splitsOf("train=1")).toEqual({ train: 1 });
  });

  it.each([
    ["", "Write names"],
    ["train", "The share of train"],
    ["train=", "The share of train"],
    ["train=x", "The share of train"],
    ["train=0", "The share of train"],
    ["Train=1", "Write names"],
    ["train=0.5=1", "Write names"],
    ["train=0.5,train=0.5", "twice"],
    ["train=0.5,test=0.4", "add up to 0.9"],
  ])("says what is wrong with %j", (text, said) => {
    expect(splitsOf(text)).toContain(said);
  });
});

describe("the request", () => {
  it("names statuses for a run only", () => {
    expect(wishOf({ run: "run-a" }, USUAL)?.options?.statuses).toEqual(["accepted"]);
    expect(wishOf({ filter: {} }, USUAL)?.options?.statuses).toBeNull();
  });

  it("asks for a byte order mark only of CSV, and for a verdict set only of a run", () => {
    const odd = { ...USUAL, bom: true, verdictSet: "set" };
    expect(wishOf({ run: "run-a" }, odd)?.options?.bom).toBe(false);
    expect(wishOf({ run: "run-a" }, { ...odd, format: "csv" })?.options?.bom).toBe(true);
    expect(wishOf({ run: "run-a" }, odd)?.source.verdict_set).toBe("set");
    expect(wishOf({ filter: {} }, odd)?.source.verdict_set).toBeNull();
  });

  it("is none where the splits cannot be read", () => {
    expect(wishOf({ run: "run-a" }, { ...USUAL, splits: "" })).toBeUndefined();
  });
});
