import { describe, expect, it } from "vitest";
import { type Clock, paced } from "./paced";

/** A clock that stands until it is told to go on. */
class ByHand implements Clock {
  private at = 0;
  private due: { at: number; call: () => void }[] = [];
  readonly now = () => this.at;
  readonly after = (ms: number, call: () => void) => {
    const entry = { at: this.at + ms, call };
    this.due.push(entry);
    return () => {
      this.due = this.due.filter((other) => other !== entry);
    };
  };
  pass(ms: number): void {
    this.at += ms;
    const now = this.due.filter(({ at }) => at <= this.at);
    this.due = this.due.filter(({ at }) => at > this.at);
    for (const { call } of now) call();
  }
}

function counted(everyMs: number) {
  const clock = new ByHand();
  const seen = { runs: 0 };
  const call = paced(
    () => {
      seen.runs += 1;
    },
    everyMs,
    clock,
  );
  return { clock, seen, call };
}

describe("paced calls", () => {
  it("come at once after a while of silence", () => {
    const { clock, seen, call } = counted(200);
    call();
    clock.pass(0);
    expect(seen.runs).toBe(1);
  });

  it("are one where they come close together, and the last of them is never lost", () => {
    const { clock, seen, call } = counted(200);
    for (let ms = 0; ms < 1_000; ms += 10) {
      call();
      clock.pass(10);
    }
    expect(seen.runs).toBe(5);
    call();
    clock.pass(200);
    expect(seen.runs).toBe(6);
  });

  it("are taken back by the end", () => {
    const { clock, seen, call } = counted(200);
    call();
    call.stop();
    clock.pass(1_000);
    expect(seen.runs).toBe(0);
    call();
    clock.pass(0);
    expect(seen.runs).toBe(1);
  });
});
