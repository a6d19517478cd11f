/** What the export dialog asks for, from what is typed in it. Pure. */
import type { ExportOptions, ExportSource, ExportWish } from "../api";

export type Status = NonNullable<ExportOptions["statuses"]>[number];

export interface Choices {
  name: string;
  format: string;
  /** Only for a run; a filter says itself which conversations it shows. */
  statuses: Status[];
  splits: string;
  together: boolean;
  reviews: NonNullable<ExportOptions["reviews"]>;
  text: NonNullable<ExportOptions["text"]>;
  pairs: NonNullable<ExportOptions["pairs"]>;
  verdictSet: string;
  zstd: boolean;
  bom: boolean;
  license: string;
}

export const USUAL: Choices = {
  name: "",
  format: "messages",
  statuses: ["accepted"],
  splits: "train=1",
  together: true,
  reviews: "all",
  text: "edited",
  pairs: "shared_opening",
  verdictSet: "",
  zstd: false,
  bom: false,
  license: "",
};

const NAME = /^[a-z][a-z0-9_]{0,29}$/;

/** Shares by split, or what is wrong with the text, such as `train=0.9, test=0.1`. */
export function splitsOf(text: string): Record<string, number> | string {
  const shares: Record<string, number> = {};
  for (const part of text.split(",")) {
    const [name = "", share = "", ...rest] = part.split("=").map((one) => one.trim());
    const value = Number(share);
    if (rest.length > 0 || !NAME.test(name)) {
      return "Write names and shares, such as train=0.9, test=0.1";
    }
    if (share === "" || !(value > 0 && value <= 1)) {
      return `The share of ${name} is a number above 0, at most 1`;
    }
    if (name in shares) return `${name} is there twice`;
    shares[name] = value;
  }
  const sum = Object.values(shares).reduce((one, other) => one + other, 0);
  return Math.abs(sum - 1) > 1e-6 ? `The shares add up to ${round(sum)}, not 1` : shares;
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The request; undefined where the splits cannot be read. */
export function wishOf(source: ExportSource, choices: Choices): ExportWish | undefined {
  const splits = splitsOf(choices.splits);
  if (typeof splits === "string") return undefined;
  const ofRun = source.run != null;
  return {
    name: choices.name.trim(),
    source: { ...source, verdict_set: (ofRun && choices.verdictSet) || null },
    options: {
      format: choices.format,
      statuses: ofRun && choices.format !== "preference" ? choices.statuses : null,
      splits,
      split_by: choices.together ? "seed_group" : "conversation",
      reviews: choices.reviews,
      text: choices.text,
      pairs: choices.pairs,
      zstd: choices.zstd,
      bom: choices.format === "csv" && choices.bom,
      license: choices.license.trim(),
    },
  };
}
