/** What a run spent, with what is not known of it. Pure. */
import type { Avoided, CallCosts, RoleCosts, Run } from "../api";
import { count, money, plural } from "../format";

/** The known part of a cost; "unknown" where nothing is known, never 0 for it. */
export function known(cost: CallCosts): string {
  const nothing = cost.known_micro === 0 && cost.unknown_calls > 0;
  return nothing ? "unknown" : money(cost.known_micro);
}

/** What is not known of a cost, as sentences without an end. */
export function unknown(cost: CallCosts): string[] {
  const said: string[] = [];
  if (cost.unknown_calls > 0) {
    const most = cost.unknown_micro > 0 ? `at most ${money(cost.unknown_micro)} more` : "no price";
    said.push(
      `${plural(cost.unknown_calls, "call")} of unknown cost (no answer came back): ${most}`,
    );
  }
  if (cost.unpriced_calls > 0) {
    said.push(`${plural(cost.unpriced_calls, "call")} to a model without a price: cost unknown`);
  }
  if (cost.estimated_calls > 0) {
    said.push(`${plural(cost.estimated_calls, "call")} whose tokens convo counted itself`);
  }
  return said;
}

/** What providers themselves said that calls cost; undefined where they said nothing. */
export function providers({ provider }: CallCosts): string | undefined {
  if (!provider) return undefined;
  const calls = plural(provider.calls, "call");
  const said = `The provider told ${money(provider.micro)} for ${calls}`;
  return provider.micro === provider.booked_micro
    ? `${said}, as booked here`
    : `${said}; booked here are ${money(provider.booked_micro)}`;
}

/** What the cache saved: beside the spend and never part of it. */
export function avoidedSaid({ verdicts, micro, unpriced }: Avoided): string {
  const rest = unpriced > 0 ? `; for ${count(unpriced)} of them it is not known` : "";
  return `${plural(verdicts, "verdict")} from the cache, ${money(micro)} avoided${rest}`;
}

/** What the whole run will have cost if it goes on as it did; undefined while nothing tells. */
export function projected(run: Pick<Run, "target" | "open" | "cost_micro">): number | undefined {
  const settled = run.target - run.open;
  if (settled === 0 || !run.cost_micro) return undefined;
  return Math.round((run.cost_micro / settled) * run.target);
}

const PURPOSES: [string, readonly string[]][] = [
  ["generation", ["user", "assistant", "script"]],
  ["judge", ["judge"]],
  ["memory", ["memory"]],
  ["roughen", ["roughen"]],
];

export interface CostRow {
  purpose: string;
  cost: RoleCosts;
}

/** One row for each role and model that was called, by purpose. */
export function rows(roles: RoleCosts[]): CostRow[] {
  return PURPOSES.flatMap(([purpose, members]) =>
    members.flatMap((role) =>
      roles.filter((cost) => cost.role === role).map((cost) => ({ purpose, cost })),
    ),
  );
}

/** How far the estimate was off, as a share of what was spent, such as `12 % over what was spent`. */
export function off(error: number): string {
  if (Math.abs(error) < 0.0005) return "exact";
  const text = `${(Math.abs(error) * 100).toFixed(Math.abs(error) < 0.1 ? 1 : 0)} %`;
  return `${text} ${error > 0 ? "over" : "under"} what was spent`;
}
