/** Prices and their off-peak windows in words. Pure. */
import { isObject, type Json } from "./json";

/** Rates in the order in which they are shown: key, name, per what. */
export const RATES = [
  { key: "input", name: "Input", per: "million tokens" },
  { key: "cached_input", name: "Cached input", per: "million tokens" },
  { key: "cache_write", name: "Cache write", per: "million tokens" },
  { key: "output", name: "Output", per: "million tokens" },
  { key: "per_request", name: "Per request", per: "request" },
] as const;
export type RateKey = (typeof RATES)[number]["key"];

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Such as `$2.50`; every digit that counts. */
export function usd(value: Json | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  const [whole = "0", digits = ""] = String(value).split(".");
  return `$${whole}.${digits.padEnd(2, "0")}`;
}

/** What a rate costs; where it has none of its own, what it costs as. */
export function rateWords(rates: Json | undefined, key: RateKey): string {
  const value = isObject(rates) ? rates[key] : undefined;
  if (value !== null && value !== undefined) return usd(value);
  if (key === "per_request") return usd(0);
  return key === "cached_input" || key === "cache_write" ? "as input" : "";
}

/** Such as `Mon-Fri 22:00-06:00 Europe/Berlin`. */
export function windowWords(offPeak: Json | undefined): string {
  if (!isObject(offPeak)) return "";
  const { start, end, weekdays, zone = "UTC" } = offPeak;
  const [from, to] = [clock(start), clock(end)];
  const hours = from === to ? `all day from ${from}` : `${from}-${to}`;
  return `${daysWords(weekdays)} ${hours} ${zone}`;
}

/** Such as `Mon-Fri`, `Mon, Wed, Sat-Sun` or `every day`; no list is every day. */
export function daysWords(weekdays: Json | undefined): string {
  const days = Array.isArray(weekdays) ? weekdays.map(Number) : [0, 1, 2, 3, 4, 5, 6];
  const chosen = WEEKDAYS.map((_, day) => days.includes(day));
  if (chosen.every(Boolean)) return "every day";
  const words: string[] = [];
  for (let day = 0; day < chosen.length; day += 1) {
    if (!chosen[day]) continue;
    const first = day;
    while (chosen[day + 1]) day += 1;
    words.push(first === day ? `${WEEKDAYS[first]}` : `${WEEKDAYS[first]}-${WEEKDAYS[day]}`);
  }
  return words.length === 0 ? "no day" : words.join(", ");
}

/** Hours and minutes; seconds where there are some. */
export function clock(value: Json | undefined): string {
  return String(value ?? "").replace(/^(\d\d:\d\d):00(\.0+)?$/, "$1");
}
