"""How the judges of a run do, in words: whether they are well, how they score, and whom they agree with."""

from convo_events.judge_answers import STATES
from convo_gateway.cli.render import number, percent, plural, print_fields, print_text, usd
from convo_gateway.shapes.judge_health import (
    AgreedBeyondChance,
    AnswerCounts,
    JudgeReport,
    OneJudge,
)

__all__ = ["print_judge"]


def print_judge(report: JudgeReport) -> None:
    """The part about judges on standard output; nothing where the run has none."""
    if not report.judges:
        return
    print_text("\nJudge")
    for seat, judge in enumerate(report.judges):
        print_fields(_judge(judge, is_first=seat == 0))
    print_fields([("With people", _with_people(report)), ("Between people", _between(report))])


def _judge(judge: OneJudge, *, is_first: bool) -> list[tuple[str, str]]:
    """Facts of one judge; of a panel only the first one is asked again."""
    rests_on = f", on its last {judge.measured} answers" if judge.measured else ""
    fields = [(judge.judge, f"{judge.condition}{rests_on}"), ("Answers", _counts(judge.answers))]
    if judge.finding is not None:
        fields.insert(1, ("Finding", judge.finding.sentence))
    if judge.last.answers < judge.answers.answers:
        fields.append((f"Last {judge.last.answers}", _counts(judge.last)))
    spread = judge.spread
    if spread is not None:
        common = f"{spread.commonest.score:g} ({percent(spread.commonest.count, spread.scores)})"
        ends = percent(spread.lowest + spread.highest, spread.scores)
        fields.append(
            (
                "Scores",
                f"mean {spread.mean:.2f}, deviation {spread.deviation:.2f} over {number(spread.scores)}; "
                f"commonest {common}, at the ends of {spread.scale[0]:g} to {spread.scale[1]:g}: {ends}",
            )
        )
        fields += [
            (
                f"  {one.name}",
                f"mean {one.mean:.2f}, deviation {one.deviation:.2f} over {number(one.scores)}",
            )
            for one in judge.criteria
        ]
    if judge.again is not None or is_first:
        fields.append(("Judged again", _again(judge)))
    return fields


def _counts(counts: AnswerCounts) -> str:
    """Such as ``412: 409 scored, 3 unparsed``."""
    if not counts.answers:
        return "none counted yet"
    parts = [f"{number(n)} {_word(state)}" for state in STATES if (n := getattr(counts, state))]
    return f"{number(counts.answers)}: {', '.join(parts)}"


def _word(state: str) -> str:
    return "calls that failed" if state == "other" else state.replace("_", " ")


def _again(judge: OneJudge) -> str:
    again, paid = judge.again, judge.rechecks
    if again is None:
        return "no conversation yet"
    unknown = f", {number(paid.unknown_calls)} of unknown cost" if paid.unknown_calls else ""
    return (
        f"{number(again.same)} of {number(again.pairs)} conversations the same way "
        f"({percent(again.same, again.pairs)}), scores {again.mean_apart:.2f} apart on average; "
        f"{_kappa(again)}; {usd(paid.known_micro)} in {plural(paid.calls, 'call')}{unknown}"
    )


def _with_people(report: JudgeReport) -> str:
    people = report.people
    left = f"left out: {number(people.flagged)} flagged or withdrawn, {number(people.unscored)} without a verdict"
    if not people.both:
        return f"no conversation that both decided on yet; {left}"
    return (
        f"{number(people.same)} of {number(people.both)} conversations the same "
        f"({percent(people.same, people.both)}); {_kappa(people)}\n"
        f"passed and accepted {number(people.pass_accepted)}, passed and rejected {number(people.pass_rejected)}, "
        f"failed and accepted {number(people.fail_accepted)}, failed and rejected {number(people.fail_rejected)}\n"
        f"{left}"
    )


def _between(report: JudgeReport) -> str:
    between = report.between_people
    if not between.both:
        return "no conversation that two people decided on yet"
    return (
        f"{number(between.same)} of {number(between.both)} conversations the same "
        f"({percent(between.same, between.both)}); {_kappa(between)}"
    )


def _kappa(found: AgreedBeyondChance) -> str:
    """Kappa with its interval, or why there is none; never a number where it is not defined."""
    if found.kappa is None:
        return f"kappa {found.why}"
    if found.low is None or found.high is None:
        return f"kappa {found.kappa:.2f} ({found.why})"
    return f"kappa {found.kappa:.2f}, 95 % interval {found.low:.2f} to {found.high:.2f}"
