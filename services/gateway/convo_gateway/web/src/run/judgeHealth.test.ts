import { describe, expect, it } from "vitest";
import type { AnswerCounts, JudgeHealth, OneJudge, WithPeople } from "../api";
import {
  againInWords,
  answersInWords,
  betweenInWords,
  conditionInWords,
  conditionLabel,
  kappaInWords,
  lastInWords,
  leftOut,
  peopleInWords,
  recheckCost,
  scoreBars,
  spreadInWords,
} from "./judgeHealth";

const counts = (known: Partial<AnswerCounts>): AnswerCounts => ({
  answers: 0,
  scored: 0,
  compared: 0,
  unparsed: 0,
  truncated: 0,
  out_of_range: 0,
  contradictory: 0,
  refused: 0,
  other: 0,
  ...known,
});

const judge = (known: Partial<OneJudge>): OneJudge => ({
  judge: "fake/judge",
  condition: "well",
  finding: null,
  measured: 0,
  answers: counts({}),
  last: counts({}),
  spread: null,
  criteria: [],
  again: null,
  rechecks: { calls: 0, known_micro: 0, unknown_calls: 0 },
  ...known,
});

const people = (known: Partial<WithPeople>): WithPeople => ({
  kappa: null,
  low: null,
  high: null,
  why: "nothing was rated by both",
  both: 0,
  pass_accepted: 0,
  pass_rejected: 0,
  fail_accepted: 0,
  fail_rejected: 0,
  same: 0,
  flagged: 0,
  unscored: 0,
  ...known,
});

const LIMITS: JudgeHealth = {
  max_failure_rate: 0.2,
  min_answers: 20,
  min_spread: null,
  min_self_agreement: 0.7,
  min_pairs: 20,
};

describe("answers", () => {
  it("are told with their number and their states", () => {
    expect(answersInWords(counts({}))).toBe("No answer of the judge is counted yet.");
    expect(answersInWords(counts({ answers: 1, scored: 1 }))).toBe(
      "The judge answered once: 1 scored.",
    );
    expect(answersInWords(counts({ answers: 1412, scored: 1409, out_of_range: 3 }))).toBe(
      "The judge answered 1,412 times: 1,409 scored, 3 out of range.",
    );
  });

  it("of late are told where there were others before", () => {
    const all = counts({ answers: 60, scored: 60 });
    const last = counts({ answers: 50, scored: 49, other: 1 });
    expect(lastInWords(judge({ answers: all, last }))).toBe(
      "Of the last 50: 49 scored, 1 calls that failed.",
    );
    expect(lastInWords(judge({ answers: last, last }))).toBeUndefined();
  });
});

describe("a condition", () => {
  it("of few answers is said to be one", () => {
    expect(conditionLabel(judge({ measured: 4 }), LIMITS)).toBe("well so far, on 4 answers");
    expect(conditionLabel(judge({ measured: 20 }), LIMITS)).toBe("well");
    expect(conditionLabel(judge({ measured: 19 }), null)).toBe("well so far, on 19 answers");
    expect(conditionLabel(judge({ condition: "doubtful", measured: 4 }), LIMITS)).toBe("in doubt");
  });

  it("says what it means for the run", () => {
    expect(conditionInWords(judge({}), LIMITS)).toBeUndefined();
    const doubtful = judge({ condition: "doubtful", measured: 6 });
    expect(conditionInWords(doubtful, LIMITS)).toMatch(
      /^6 of 20 answers .* wait for the others\.$/,
    );
    const finding = {
      measure: "failure_rate",
      value: 1,
      n: 20,
      limit: 0.2,
      sentence: "It is sick.",
    } as const;
    const sick = judge({ condition: "sick", finding });
    expect(conditionInWords(sick, LIMITS)).toBe("It is sick.");
    expect(conditionInWords(sick, null)).toBe("It is sick. This run does not pause for it.");
  });
});

describe("spread", () => {
  const spread = {
    scores: 4,
    mean: 3.5,
    deviation: 1.5,
    scale: [1, 5] as [number, number],
    bins: [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5].map((score) => ({
      score,
      count: score === 3.5 ? 3 : score === 5 ? 1 : 0,
    })),
    bin_width: 0.5,
    commonest: { score: 3.5, count: 3 },
    commonest_share: 0.75,
    lowest: 0,
    highest: 1,
    ends_share: 0.25,
  };

  it("is told with what it is taken over", () => {
    expect(spreadInWords(spread)).toBe(
      "Mean 3.50, standard deviation 1.50 over 4 scores. The commonest is about 3.5 (75\u00a0%); " +
        "25\u00a0% are at the ends, 1 or 5.",
    );
  });

  it("is drawn from one end of the scale to the other", () => {
    const bars = scoreBars(spread);
    expect(bars.map(({ name }) => name)).toEqual([
      "1",
      "1.5",
      "2",
      "2.5",
      "3",
      "3.5",
      "4",
      "4.5",
      "5",
    ]);
    expect(bars[5]).toEqual({ name: "3.5", short: "3.5", share: 0.75, said: "3" });
  });
});

describe("agreement", () => {
  it("with itself is not made up before a recheck", () => {
    expect(againInWords(judge({}), 0)).toMatch(/^No rechecks: /);
    expect(againInWords(judge({}), 0.05)).toMatch(/^No rechecks yet; 5.0\u00a0% of/);
    expect(againInWords(judge({}), 0.05, false)).toMatch(/^Not asked twice/);
    expect(recheckCost({ calls: 0, known_micro: 0, unknown_calls: 0 })).toBeUndefined();
  });

  it("with itself is told with its pairs", () => {
    const again = {
      pairs: 20,
      same: 18,
      mean_apart: 0.35,
      kappa: 0.78,
      low: null,
      high: null,
      why: "w",
    };
    expect(againInWords(judge({ again }), 0.1)).toBe(
      "18 of 20 conversations passed or failed the same way twice (90\u00a0%); " +
        "the scores are 0.35 apart on average. Cohen's kappa 0.78; w.",
    );
    expect(recheckCost({ calls: 21, known_micro: null, unknown_calls: 21 })).toBe(
      "Rechecks cost unknown in 21 calls, 21 calls of unknown cost.",
    );
  });

  it("with people says what is left out", () => {
    expect(peopleInWords(people({}))).toMatch(/^No conversation yet/);
    const some = people({
      both: 40,
      same: 30,
      kappa: 0.5,
      low: 0.22,
      high: 0.78,
      why: "",
      flagged: 2,
    });
    expect(peopleInWords(some)).toBe(
      "30 of 40 conversations decided the same way (75\u00a0%). Cohen's kappa 0.50, 95\u00a0% interval 0.22 to 0.78.",
    );
    expect(leftOut(some)).toBe("Left out: 2 flagged or withdrawn.");
    expect(leftOut(people({}))).toBeUndefined();
  });

  it("without variation is said in words", () => {
    const none = { kappa: null, low: null, high: null };
    expect(kappaInWords({ ...none, why: "not defined: both raters say the same of all 9" })).toBe(
      "Cohen's kappa is not defined here: both raters say the same of all 9.",
    );
    expect(betweenInWords({ ...none, why: "nothing was rated by both", both: 0, same: 0 })).toBe(
      "Among people: no conversation yet that two of them decided on.",
    );
  });
});
