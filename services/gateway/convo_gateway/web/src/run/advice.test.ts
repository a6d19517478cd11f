import { describe, expect, it } from "vitest";
import { advice } from "./advice";

const run = { status: "completed", reason: "", accepted: 0, rejected: 1200, failed: 3 } as const;

describe("a run at its end", () => {
  it("says that nothing was accepted, and how much there was (G03)", () => {
    expect(advice(run)).toContain("nothing was accepted: 1,200 rejected, 3 failed");
  });

  it("says nothing where something was", () => {
    expect(advice({ ...run, accepted: 1 })).toBeUndefined();
    expect(advice({ ...run, status: "running" })).toBeUndefined();
  });
});
