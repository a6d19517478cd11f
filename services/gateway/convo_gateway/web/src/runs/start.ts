/** What the start form holds, and the request it makes. Pure. */
import type { CatalogEntry, EstimateAnswer, Failure, ImportShown, Start, Wanted } from "../api";
import { count, plural } from "../format";
import { dollars } from "../parts/dollars";

export interface Choice {
  config: string;
  /** Id of the import that a run of mode import reads. */
  source: string;
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
  source: "",
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

/** The configs that can be chosen: all of them, or those that read an import where one is chosen already. */
export function offeredFor(configs: ConfigHeadline[], source: string): ConfigHeadline[] {
  return source === "" ? configs : configs.filter(({ mode }) => mode === "import");
}

/** How many conversations there will be where no count is typed. */
export function targetHint(
  config: Pick<ConfigHeadline, "mode" | "target"> | undefined,
  source: Pick<ImportShown, "taken"> | undefined,
): string {
  if (config === undefined) return source ? "Conversations to take" : "Conversations to make";
  if (config.mode !== "import") return `${count(config.target)} in the config`;
  if (source === undefined) return `At most ${count(config.target)} in the config`;
  return config.target < source.taken
    ? `The first ${count(config.target)} of ${plural(source.taken, "conversation")}, by the config`
    : `All ${plural(source.taken, "conversation")}`;
}

/**
 * What is asked for an estimate; undefined while no config is chosen, the count is no count, or a config of mode import
 * has no import.
 */
export function wantedOf(choice: Choice, mode: string | undefined): Wanted | undefined {
  const reads = mode === "import";
  const target = wholeNumber(choice.target);
  const cap = dollars(choice.cap);
  if (choice.config === "" || target === undefined || cap === undefined) return undefined;
  if (reads && choice.source === "") return undefined;
  return {
    config: choice.config,
    ...(reads ? { import_source: choice.source } : {}),
    ...(target === null ? {} : { target_count: target }),
    ...(cap === null ? {} : { spend_cap_usd: cap }),
    ...(choice.offPeak ? { start: "off_peak" } : {}),
  };
}

/** The request that starts the run; undefined where a number is no number. */
export function startOf(
  choice: Choice,
  mode: string | undefined,
  agreedMicro: number | undefined,
): Start | undefined {
  const wanted = wantedOf(choice, mode);
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
