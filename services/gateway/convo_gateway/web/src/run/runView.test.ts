import { describe, expect, it } from "vitest";
import type { Run } from "../api";
import { commanded, type RunView, read, told } from "./runView";

const page = {
  id: "run-a",
  status: "running",
  reason: "",
  target: 10,
  generated: 4,
  accepted: 2,
  rejected: 1,
  failed: 0,
  cancelled: 0,
  open: 7,
  cost_micro: 500,
  unknown_calls: 0,
  unknown_micro: 0,
  unpriced_calls: 0,
  rate_per_minute: 3,
  eta_s: 60,
  seq: 20,
  happened: { detail: "" },
} as unknown as Run;
const view: RunView = read(page, undefined, undefined);
const news = {
  ...page,
  happened: undefined,
  seq: 22,
  accepted: 3,
  open: 6,
  in_flight: 5,
  reasons: {
    judge_below_threshold: { layer: 3, precedence: 1, count: 4 },
    truncated: { layer: 1, precedence: 30, count: 1 },
    stage_direction: { layer: 1, precedence: 20, count: 2 },
    generation_failed: { layer: 0, precedence: 1, count: 1 },
  },
  last_rejects: [{ id: "run-a.0.0", reason: "truncated", layer: 1 }],
};

describe("what the websocket told", () => {
  it("changes counters, and lists reasons in precedence order", () => {
    const now = told(view, news);
    expect(now).toMatchObject({ accepted: 3, open: 6, inFlight: 5, seq: 22 });
    expect(now.reasons?.map(({ reason }) => reason)).toEqual([
      "generation_failed",
      "stage_direction",
      "truncated",
      "judge_below_threshold",
    ]);
    expect(now.reasons?.map(({ counted_under }) => counted_under)[0]).toBe("failed");
  });

  it("takes what is left out as not known any more", () => {
    const { eta_s, ...paused } = news;
    expect(eta_s).toBe(60);
    expect(told(view, { ...paused, status: "paused" })).toMatchObject({
      status: "paused",
      eta_s: null,
    });
  });

  it("is ignored where it is older, or where a counter would fall", () => {
    expect(told(view, { ...news, seq: 19 })).toBe(view);
    expect(told(view, { ...news, generated: 3 })).toBe(view);
  });

  it("never makes the cost fall, which moves without the counters", () => {
    expect(told(view, { ...news, cost_micro: 400 }).cost_micro).toBe(500);
    expect(told({ ...view, cost_micro: null }, news).cost_micro).toBe(500);
  });
});

describe("a page that is read again", () => {
  it("keeps what was further", () => {
    const later = told(view, news);
    const again = read(page, later, undefined);
    expect(again).toMatchObject({ accepted: 3, seq: 22, inFlight: 5 });
    expect(again.reasons).toHaveLength(4);
  });

  it("takes what has gone on", () => {
    const later = { ...page, seq: 30, accepted: 9 };
    expect(read(later, told(view, news), news)).toMatchObject({ accepted: 9, seq: 30 });
  });
});

describe("a command", () => {
  it("shows its status until the read model does", () => {
    const paused = commanded(view, "paused", 25);
    expect(paused).toMatchObject({ status: "paused", seq: 25, eta_s: null });
    expect(told(paused, news).status).toBe("paused");
    expect(told(paused, { ...news, seq: 26, status: "completed" }).status).toBe("completed");
    expect(commanded(view, "running", 0)).toBe(view);
  });
});
