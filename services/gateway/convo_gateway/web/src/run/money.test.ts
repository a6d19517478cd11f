import { describe, expect, it } from "vitest";
import type { CallCosts, RoleCosts } from "../api";
import { avoidedSaid, known, off, projected, providers, rows, unknown } from "./money";

const cost: CallCosts = {
  calls: 4,
  failed_calls: 0,
  known_micro: 2_000_000,
  unknown_calls: 0,
  unknown_micro: 0,
  unpriced_calls: 0,
  estimated_calls: 0,
  provider: null,
  tokens: { input: 1, cached: 0, cache_write: 0, output: 1, reasoning: 0 },
  mean_latency_ms: 3,
};

describe("cost", () => {
  it("is never 0 where it is unknown", () => {
    expect(known(cost)).toBe("$2.00");
    expect(known({ ...cost, known_micro: null })).toBe("unknown");
    expect(known({ ...cost, known_micro: 0, unknown_calls: 2 })).toBe("unknown");
    expect(known({ ...cost, known_micro: 0 })).toBe("$0.00");
  });

  it("says what is not known of it", () => {
    expect(unknown(cost)).toEqual([]);
    const part = { ...cost, unknown_calls: 2, unknown_micro: 3_000_000, unpriced_calls: 1 };
    expect(unknown(part)).toEqual([
      "2 calls of unknown cost (no answer came back): at most $3.00 more",
      "1 call to a model without a price: cost unknown",
    ]);
  });

  it("has what the cache avoided beside it", () => {
    const saved = { verdicts: 12, micro: 4_200, unpriced: 0 };
    expect(avoidedSaid(saved)).toBe("12 verdicts from the cache, $0.0042 avoided");
    expect(avoidedSaid({ ...saved, unpriced: 3 })).toContain("for 3 of them it is not known");
  });

  it("stands beside what the provider told", () => {
    expect(providers(cost)).toBeUndefined();
    const told = { calls: 3, micro: 1_500_000, booked_micro: 1_400_000 };
    expect(providers({ ...cost, provider: told })).toBe(
      "The provider told $1.50 for 3 calls; booked here are $1.40",
    );
    expect(providers({ ...cost, provider: { ...told, booked_micro: 1_500_000 } })).toContain(
      "as booked here",
    );
  });

  it("is projected from what has a verdict", () => {
    expect(projected({ target: 10, open: 5, cost_micro: 100 })).toBe(200);
    expect(projected({ target: 10, open: 10, cost_micro: 100 })).toBeUndefined();
    expect(projected({ target: 10, open: 5, cost_micro: null })).toBeUndefined();
  });

  it("says how far the estimate was off", () => {
    expect(off(0.2)).toBe("20 % over what was spent");
    expect(off(-0.05)).toBe("5.0 % under what was spent");
    expect(off(0)).toBe("exact");
  });

  it("is listed by purpose, only for what was called", () => {
    const role = (name: string): RoleCosts => ({ ...cost, role: name, backend: "b", model: "m" });
    const listed = rows([role("judge"), role("user"), role("roughen")]);
    expect(listed.map(({ purpose, cost: { role } }) => [purpose, role])).toEqual([
      ["generation", "user"],
      ["judge", "judge"],
      ["roughen", "roughen"],
    ]);
  });
});
