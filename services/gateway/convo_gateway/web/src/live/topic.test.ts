import { describe, expect, it } from "vitest";
import { type Message, merged, told, UNKNOWN } from "./topic";

const known = { epoch: "e1", seq: 4, state: { made: 1, cost: { judge: 2 } }, gone: false };
const delta = (seq: number, patch: Record<string, unknown>): Message & { op: "delta" } => ({
  op: "delta",
  topic: "run:a",
  seq,
  patch,
});

describe("a topic", () => {
  it("takes a snapshot whatever it knew before", () => {
    const message = {
      op: "snapshot",
      topic: "run:a",
      epoch: "e2",
      seq: 1,
      state: { made: 9 },
    } as const;
    expect(told(known, message)).toEqual({ epoch: "e2", seq: 1, state: { made: 9 }, gone: false });
  });

  it("follows deltas one by one", () => {
    expect(told(known, delta(5, { made: 2 }))?.state).toEqual({ made: 2, cost: { judge: 2 } });
  });

  it("ignores what it has seen", () => {
    expect(told(known, delta(4, { made: 99 }))).toBe(known);
  });

  it("asks again after a gap", () => {
    expect(told(known, delta(6, { made: 2 }))).toBeUndefined();
    expect(told(UNKNOWN, delta(1, {}))).toBeUndefined();
  });

  it("replays what was missed, and asks again where that is not all", () => {
    const deltas = [delta(5, { made: 2 }), delta(6, { made: 3 })];
    const replayed = { op: "replayed", topic: "run:a", epoch: "e1", seq: 6, deltas } as const;
    expect(told(known, { ...replayed, deltas })?.state).toMatchObject({ made: 3 });
    expect(told(known, { ...replayed, deltas, seq: 7 })).toBeUndefined();
    expect(told(known, { ...replayed, deltas: [], seq: 4 })?.seq).toBe(4);
  });

  it("says that there is no such thing", () => {
    expect(told(known, { op: "gone", topic: "run:a" })).toMatchObject({ gone: true });
  });
});

describe("a patch", () => {
  it("merges objects, replaces lists, takes nulls away", () => {
    const state = { a: { b: 1, c: 2 }, list: [1, 2], gone: 1 };
    const patch = { a: { b: 5, c: null }, list: [3], gone: null, added: { x: 1 } };
    expect(merged(state, patch)).toEqual({ a: { b: 5 }, list: [3], added: { x: 1 } });
  });
});
