import { describe, expect, it } from "vitest";
import type { RunPage, RunSummary } from "../api";
import { refreshed, toAskFor } from "./refresh";

function run(id: string, status: RunSummary["status"], more: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    kind: "generation",
    name: id,
    config: "quick",
    config_version: 1,
    mode: "dialogue",
    status,
    reason: "",
    target: 10,
    generated: 0,
    accepted: 0,
    rejected: 0,
    failed: 0,
    cancelled: 0,
    open: 10,
    unknown_calls: 0,
    unknown_micro: 0,
    unpriced_calls: 0,
    planned_at: "2026-03-01T12:00:00Z",
    seq: 1,
    ...more,
  };
}

function page(...items: RunSummary[]): RunPage {
  return { items, next_cursor: null, total: items.length, statuses: {}, configs: {} };
}

const pages = [page(run("b", "running"), run("a", "completed")), page(run("z", "paused"))];
const ids = (found: RunPage[]) => found.map(({ items }) => items.map(({ id }) => id));

describe("a refresh", () => {
  it("asks for live runs that the first page does not tell of", () => {
    expect(toAskFor(pages, page(run("b", "running")), 9)).toEqual(["z"]);
    expect(toAskFor(pages, page(), 1)).toEqual(["b"]);
  });

  it("puts fresh rows where the old ones were", () => {
    const first = page(run("b", "completed", { accepted: 9 }), run("a", "completed"));
    const found = refreshed(pages, first, [run("z", "running")], {});
    expect(ids(found)).toEqual([["b", "a"], ["z"]]);
    expect(found[0]?.items[0]?.accepted).toBe(9);
    expect(found[1]?.items[0]?.status).toBe("running");
  });

  it("puts new runs on top, if the newest are first", () => {
    const first = page(
      run("c", "queued", { planned_at: "2026-03-02T12:00:00Z" }),
      run("b", "running"),
    );
    expect(ids(refreshed(pages, first, [], {}))).toEqual([["c", "b", "a"], ["z"]]);
    expect(ids(refreshed(pages, first, [], { sort: "name" }))).toEqual([["b", "a"], ["z"]]);
  });

  it("drops what the filter does not want any more, and keeps the counts", () => {
    const first = page(run("b", "completed"));
    const found = refreshed(pages, { ...first, total: 7 }, [], { status: ["running", "paused"] });
    expect(ids(found)).toEqual([[], ["z"]]);
    expect(found[0]?.total).toBe(7);
  });
});
