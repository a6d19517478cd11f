/** How a judge does, in words and bars. Pure. */
import type {
  AnswerCounts,
  BetweenPeople,
  JudgeReport,
  OneJudge,
  RecheckCosts,
  Spread,
  WithPeople,
} from "../api";
import { count, money, percent, plural } from "../format";
import type { ShareBar } from "../parts/ShareBars";

const STATES = {
  scored: "scored",
  compared: "compared",
  unparsed: "unparsed",
  truncated: "truncated",
  out_of_range: "out of range",
  contradictory: "contradictory",
  refused: "refused",
  other: "calls that failed",
} as const;
type State = keyof typeof STATES;
const NAMES = Object.keys(STATES) as State[];
const MOST_NAMED = 12; // bars that all have their score under them

const CONDITIONS: Record<OneJudge["condition"], string> = {
  unknown: "no answer yet",
  well: "well",
  doubtful: "in doubt",
  sick: "sick",
};
const FEWEST = 20; // answers before a judge is measured, where the config does not say

/** Such as `well`; with few answers it is said that there are few. */
export function conditionLabel(
  { condition, measured }: OneJudge,
  limits: JudgeReport["limits"],
): string {
  const few = measured < (limits?.min_answers ?? FEWEST);
  return condition === "well" && few
    ? `well so far, on ${plural(measured, "answer")}`
    : CONDITIONS[condition];
}

/** Such as `409 scored, 3 unparsed`. */
export function statesInWords(counts: AnswerCounts): string {
  return NAMES.filter((state) => counts[state] > 0)
    .map((state) => `${count(counts[state])} ${STATES[state]}`)
    .join(", ");
}

/** Such as `The judge answered 412 times: 409 scored, 3 unparsed.` */
export function answersInWords(counts: AnswerCounts): string {
  const { answers } = counts;
  if (answers === 0) return "No answer of the judge is counted yet.";
  return `The judge answered ${answers === 1 ? "once" : `${count(answers)} times`}: ${statesInWords(counts)}.`;
}

/** What the last answers came to; nothing where they are all there are. */
export function lastInWords({ answers, last }: OneJudge): string | undefined {
  if (last.answers === answers.answers) return undefined;
  return `Of the last ${count(last.answers)}: ${statesInWords(last)}.`;
}

/** What the condition means for the run. */
export function conditionInWords(
  { condition, finding, measured }: OneJudge,
  limits: JudgeReport["limits"],
): string | undefined {
  if (condition === "doubtful") {
    const fewest = limits?.min_answers ?? FEWEST;
    return (
      `${count(measured)} of ${count(fewest)} answers that it takes to tell whether it is sick.` +
      (limits ? " Conversations that failed at it wait for the others." : "")
    );
  }
  if (finding === null) return undefined;
  const silent = limits === null ? " This run does not pause for it." : "";
  return finding.sentence + silent;
}

/** Such as `Mean 3.52, standard deviation 0.81 over 409 scores.` */
export function spreadInWords(spread: Spread): string {
  const { mean, deviation, scores, commonest, commonest_share, ends_share, scale } = spread;
  const near = spread.bin_width > 1 || !Number.isInteger(commonest.score) ? "about " : "";
  return (
    `Mean ${mean.toFixed(2)}, standard deviation ${deviation.toFixed(2)} over ${plural(scores, "score")}. ` +
    `The commonest is ${near}${commonest.score} (${percent(commonest_share)}); ` +
    `${percent(ends_share)} are at the ends, ${scale[0]} or ${scale[1]}.`
  );
}

/** A bar for each point of the scale. */
export function scoreBars({ bins, scores }: Spread): ShareBar[] {
  return bins.map(({ score, count: found }, at) => ({
    name: String(score),
    short: bins.length > MOST_NAMED && at % 2 === 1 ? "" : String(score),
    share: found / scores,
    said: count(found),
  }));
}

/** Whether the judge says the same twice; only the first one of a panel is asked again. */
export function againInWords({ again }: OneJudge, share: number, isFirst = true): string {
  if (again === null && !isFirst) return "Not asked twice: only the first judge is.";
  if (again === null) {
    return share > 0
      ? `No rechecks yet; ${percent(share)} of the conversations are judged once more.`
      : "No rechecks: the config has no conversation judged once more (judge.recheck_share).";
  }
  return (
    `${count(again.same)} of ${plural(again.pairs, "conversation")} passed or failed the same way twice ` +
    `(${percent(again.same / again.pairs)}); the scores are ${again.mean_apart.toFixed(2)} apart on average. ` +
    kappaInWords(again)
  );
}

/** What judging again cost; nothing where nothing was judged again. */
export function recheckCost({
  calls,
  known_micro,
  unknown_calls,
}: RecheckCosts): string | undefined {
  if (calls === 0) return undefined;
  const unknown = unknown_calls > 0 ? `, ${plural(unknown_calls, "call")} of unknown cost` : "";
  return `Rechecks cost ${money(known_micro)} in ${plural(calls, "call")}${unknown}.`;
}

/** The judges beside people. */
export function peopleInWords(people: WithPeople): string {
  if (people.both === 0) return "No conversation yet that both judges and people decided on.";
  return (
    `${count(people.same)} of ${plural(people.both, "conversation")} decided the same way ` +
    `(${percent(people.same / people.both)}). ${kappaInWords(people)}`
  );
}

/** What is left out of the comparison with people; nothing where nothing is. */
export function leftOut({ flagged, unscored }: WithPeople): string | undefined {
  const parts = [
    flagged > 0 ? `${count(flagged)} flagged or withdrawn` : "",
    unscored > 0 ? `${count(unscored)} without a verdict of the judges` : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? `Left out: ${parts.join(", ")}.` : undefined;
}

/** People beside each other. */
export function betweenInWords(between: BetweenPeople): string {
  if (between.both === 0) return "Among people: no conversation yet that two of them decided on.";
  return (
    `Among people: ${count(between.same)} of ${plural(between.both, "conversation")} the same ` +
    `(${percent(between.same / between.both)}). ${kappaInWords(between)}`
  );
}

/** Kappa with its interval; in words where it is not defined, and never a number then. */
export function kappaInWords(found: {
  kappa: number | null;
  low: number | null;
  high: number | null;
  why: string;
}): string {
  const { kappa, low, high, why } = found;
  if (kappa === null) return `Cohen's kappa is ${why.replace(/^not defined/, "not defined here")}.`;
  const value = `Cohen's kappa ${kappa.toFixed(2)}`;
  if (low === null || high === null) return `${value}; ${why}.`;
  return `${value}, 95\u00a0% interval ${low.toFixed(2)} to ${high.toFixed(2)}.`;
}
