/** What accepted conversations have in common, in words and bars. Pure. */
import type { Distributions, Grams, Opening, RoleLengths, SelfSimilarity } from "../api";
import { count, DASH, percent, plural } from "../format";
import type { ShareBar } from "../parts/ShareBars";

/** Where on the page of a run they are. */
export const DISTRIBUTIONS = "distributions";

/** Such as `0.412`, or `about 0.412` where the different ones are estimated. */
export function distinctWords({ distinct, estimated }: Grams): string {
  if (distinct === null) return DASH;
  return `${estimated ? "about " : ""}${distinct.toFixed(3)}`;
}

/** Such as `61,020 different of 148,005`; an estimate with its error. */
export function gramWords({ different, total, estimated, standard_error: error }: Grams): string {
  if (total === 0) return "none yet";
  const about = estimated ? "about " : "";
  const off = error === null ? "" : `, ± ${(error * 100).toFixed(1)} %`;
  return `${about}${count(different)} different of ${count(total)}${off}`;
}

/** Such as `100 of 12,431 accepted`, and how far the count is behind. */
export function populationWords({ over, conversations }: Distributions): string {
  const { value, of } = conversations;
  const all = of ?? value;
  if (value === all) return `all ${count(value)} accepted`;
  if (over === "all") return `${count(value)} of ${count(all)} accepted counted so far`;
  return `${value < 100 ? "" : "last "}${count(value)} of ${count(all)} accepted`;
}

/** Bars from the shortest to the longest turns there are; none where there is no turn. */
export function lengthBars({ bins, turns }: RoleLengths): ShareBar[] {
  const first = bins.findIndex((bin) => bin.turns > 0);
  const last = bins.findLastIndex((bin) => bin.turns > 0);
  if (first < 0) return [];
  return bins.slice(first, last + 1).map(({ fewest, most, turns: found }) => ({
    name: most === null ? `${fewest} words or more` : wordsOf(fewest, most),
    short: most === null ? `${fewest}+` : String(fewest),
    share: found / turns,
    said: `${count(found)} (${percent(found / turns)})`,
  }));
}

function wordsOf(fewest: number, most: number): string {
  return fewest === most ? plural(fewest, "word") : `${fewest} to ${most} words`;
}

/** Such as `14.2 words a turn, longest 230, 1,200 turns`. */
export function lengthWords({ mean, longest, turns }: RoleLengths): string {
  if (mean === null) return "no turn yet";
  return `${mean.toFixed(1)} words a turn, longest ${count(longest)}, ${plural(turns, "turn")}`;
}

/** Such as `41`, or `40 to 52` where the count is known between bounds. */
export function openingCount({ at_least: least, at_most: most }: Opening): string {
  return least === most ? count(most) : `${count(least)} to ${count(most)}`;
}

/** Openings that say something: begun with more than once for sure. */
export function frequentOf(phrases: readonly Opening[]): Opening[] {
  return phrases.filter(({ at_least: least }) => least > 1);
}

/** Ten bars from not alike at all to the same. */
export function likenessBars({ nearest }: SelfSimilarity): ShareBar[] {
  const whole = nearest.reduce((sum, n) => sum + n, 0);
  return nearest.map((found, at) => ({
    name: `${(at / 10).toFixed(1)} to ${((at + 1) / 10).toFixed(1)}`,
    short: (at / 10).toFixed(1),
    share: whole === 0 ? 0 : found / whole,
    said: count(found),
  }));
}

/** Such as `each with each of the last 100 accepted, 4,950 pairs`. */
export function comparedWords({ over, similarity, conversations }: Distributions): string {
  const { conversations: compared, pairs } = similarity;
  const who =
    over === "all" && conversations.value > compared.value
      ? `a sample of ${count(compared.value)} of ${count(conversations.value)} accepted`
      : `${plural(compared.value, "conversation")}`;
  return `Each with each of ${who}: ${plural(pairs, "pair")}.`;
}
