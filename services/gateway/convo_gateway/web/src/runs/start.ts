/** What the start form holds, and the request it makes. Pure. */
import type { CatalogEntry, EstimateAnswer, Failure, Start, Wanted } from "../api";
import { dollars } from "../parts/dollars";

export interface Choice {
  config: string;
  /** Empty text is the config's own. */
  target: string;
  seed: string;
  name: string;
  /** US dollars. */
  cap: string;
  offPeak: boolean;
}

export const NOTHING: Choice = {
  config: "",
  target: "",
  seed: "",
  name: "",
  cap: "",
  offPeak: false,
};

/** What a run config says of itself in a list. */
export interface ConfigHeadline {
  name: string;
  version: number;
  mode: string;
  target: number;
  seed: number;
  /** US dollars; null for none. */
  cap: number | null;
}

export function headlineOf({ name, version, headline }: CatalogEntry): ConfigHeadline {
  return {
    name,
    version,
    mode: String(headline.mode ?? ""),
    target: Number(headline.target_count ?? 0),
    seed: Number(headline.seed ?? 0),
    cap: typeof headline.spend_cap_usd === "number" ? headline.spend_cap_usd : null,
  };
}

/** What is asked for an estimate; undefined while no config is chosen or the count is no count. */
export function wantedOf(choice: Choice): Wanted | undefined {
  const target = wholeNumber(choice.target);
  const cap = dollars(choice.cap);
  if (choice.config === "" || target === undefined || cap === undefined) return undefined;
  return {
    config: choice.config,
    ...(target === null ? {} : { target_count: target }),
    ...(cap === null ? {} : { spend_cap_usd: cap }),
    ...(choice.offPeak ? { start: "off_peak" } : {}),
  };
}

/** The request that starts the run; undefined where a number is no number. */
export function startOf(choice: Choice, agreedMicro: number | undefined): Start | undefined {
  const wanted = wantedOf(choice);
  const seed = wholeNumber(choice.seed);
  if (wanted === undefined || seed === undefined) return undefined;
  const name = choice.name.trim();
  return {
    ...wanted,
    ...(seed === null ? {} : { seed }),
    ...(name ? { name } : {}),
    ...(agreedMicro === undefined ? {} : { confirm_estimate_micro: agreedMicro }),
  };
}

/** The number; null for empty text, undefined for what is no whole number. */
export function wholeNumber(text: string): number | null | undefined {
  const bare = text.replaceAll(/[\s,_]/g, "");
  if (bare === "") return null;
  return /^\d{1,16}$/.test(bare) && Number.isSafeInteger(Number(bare)) ? Number(bare) : undefined;
}

export interface Threshold {
  /** null: unknown, because a model has no price. */
  estimateMicro: number | null;
  thresholdMicro: number;
}

/** Why the first click starts nothing; undefined where it does. */
export function toConfirm(answer: EstimateAnswer | undefined): Threshold | undefined {
  if (!answer?.needs_confirmation) return undefined;
  const { total, threshold_micro } = answer.estimate;
  return { estimateMicro: total?.expected ?? null, thresholdMicro: threshold_micro ?? 0 };
}

/** The same from a start that was refused. */
export function refusedFor(failure: Failure): Threshold | undefined {
  if (failure.code !== "needs-confirmation") return undefined;
  const { estimate_micro, threshold_micro } = failure.problem as unknown as {
    estimate_micro: number | null;
    threshold_micro: number;
  };
  return { estimateMicro: estimate_micro, thresholdMicro: threshold_micro };
}
