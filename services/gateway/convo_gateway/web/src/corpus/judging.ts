/** What judges said, in words. Pure. */
import type { Comparisons, Conversation, Judgement, JudgeRequested, TallyShown } from "../api";
import { count, money, percent, plural } from "../format";

const REDUCED: Record<TallyShown["reducer"], string> = {
  mean: "mean of the samples",
  median: "median of the samples",
  lowest: "lowest of the samples",
  majority: "more than half of the samples have to pass",
};

const COMPARED: Record<NonNullable<TallyShown["compared"]>, string> = {
  better: "Better than the example, in both orders.",
  worse: "Worse than the example, in both orders.",
  tie: "As good as the example, in both orders.",
  undecided: "Undecided by order: the answer changed with the order.",
  unparsed: "Not compared: in one of the orders no answer could be read.",
};

/** How many of the planned samples a verdict stands on, and why not on all of them. */
export function tallyWords(tally: TallyShown): string {
  const { scored, planned, asked, passing, judges } = tally;
  const said = [`${scored} of ${planned} planned samples scored, ${passing} of them pass`];
  if (asked > scored) said.push(`${asked - scored} could not be read`);
  if (planned > asked)
    said.push(`${planned - asked} left out, as no score could change the verdict`);
  const how =
    judges.length > 1
      ? `${REDUCED[tally.reducer]}, then the mean of the judges`
      : REDUCED[tally.reducer];
  return `${how}; ${said.join("; ")}.`;
}

export function comparedWords(tally: TallyShown): string | undefined {
  return tally.compared ? COMPARED[tally.compared] : undefined;
}

/** Why a conversation has no answer of a judge. */
export function unjudged({ status, layer }: Pick<Conversation, "status" | "layer">): string {
  if (status === "open") return "No judge has answered yet.";
  if (status === "accepted") return "Not asked: the run has no judge.";
  if (status === "cancelled") return "No answer: the run was cancelled first.";
  if (layer === 1 || layer === 2) return "Not asked: it was rejected before the judge.";
  return "No judge has answered.";
}

/** What a question was for. */
export function askedFor({ purpose, sample }: Judgement): string {
  if (purpose === "recheck") return "recheck, not counted";
  if (purpose === "verdict") return `sample ${sample + 1}`;
  return `comparison, ${sample === 1 ? "example" : "conversation"} first`;
}

/** What came back: a score, a side, or the way in which there was no answer. */
export function answered({ state, score, better }: Judgement): string {
  if (state === "scored") return score?.toFixed(2) ?? "–";
  if (state !== "compared") return state === "asked" ? "not yet" : state.replaceAll("_", " ");
  return better === "tie" ? "tie" : `${better === "candidate" ? "conversation" : "example"} better`;
}

/** Where a verdict came from, if nobody was asked. */
export function avoidedWords({ cached_from, avoided_micro }: Judgement): string | undefined {
  if (!cached_from) return undefined;
  return typeof avoided_micro === "number"
    ? `taken from the cache, ${money(avoided_micro)} avoided`
    : "taken from the cache, avoided cost not known";
}

/** What else a config asks of its judges; empty where it asks for one score of one judge. */
export function optionWords(
  judge: Omit<JudgeRequested, "criteria" | "scale" | "threshold">,
): string {
  const { samples, reducer, panel, comparison, recheck_share, cache } = judge;
  const said: string[] = [];
  if (samples > 1 || panel.length > 0) said.push(`${plural(samples, "sample")}, ${reducer}`);
  if (panel.length > 0) said.push(`with ${panel.join(", ")}`);
  if (comparison) said.push(`compared with ${comparison}`);
  if (recheck_share > 0) said.push(`${percent(recheck_share)} judged once more`);
  if (cache) said.push("earlier verdicts are used again");
  return said.join("; ");
}

/** Outcomes of comparisons with their numbers, in a fixed order. */
export function outcomes(of: Comparisons): [string, number][] {
  return [
    ["better in both orders", of.better],
    [
      of.worse === "reject" ? "worse in both orders, rejected" : "worse in both orders",
      of.worse_count,
    ],
    ["tie in both orders", of.tie],
    ["undecided by order", of.undecided],
    ["not read", of.unparsed],
  ];
}

export function comparedShare(number: number, of: Comparisons): string {
  return of.compared === 0
    ? "none compared yet"
    : `${count(number)} (${percent(number / of.compared)})`;
}
