/** Weights as shares in per cent, rounded so that they add up. Pure. */
import { isObject, type Json } from "../catalog/json";

/** The weight of an entry of a mix; 1 where it says none, undefined where it is no weight. */
export function weightOf(entry: Json | undefined, key = "weight"): number | undefined {
  const weight = isObject(entry) ? (entry[key] ?? 1) : 1;
  return typeof weight === "number" && weight > 0 ? weight : undefined;
}

/** Shares as text: with one decimal, more where there are many; undefined where a weight is missing. They add up to 100. */
export function sharesOf(weights: readonly (number | undefined)[]): (string | undefined)[] {
  const whole = weights.reduce<number>((sum, weight) => sum + (weight ?? 0), 0);
  if (whole === 0) return weights.map(() => undefined);
  const decimals = weights.length >= 1_000 ? 3 : weights.length >= 100 ? 2 : 1;
  const units = 100 * 10 ** decimals;
  const exact = weights.map((weight) => ((weight ?? 0) / whole) * units);
  const floors = exact.map(Math.floor);
  const missing = units - floors.reduce((sum, floor) => sum + floor, 0);
  const order = exact
    .map((value, at) => [value - (floors[at] ?? 0), at] as const)
    .sort(([a, i], [b, j]) => b - a || i - j);
  for (const [, at] of order.slice(0, missing)) floors[at] = (floors[at] ?? 0) + 1;
  return weights.map((weight, at) =>
    weight === undefined ? undefined : ((floors[at] ?? 0) / 10 ** decimals).toFixed(decimals),
  );
}
