"""What judges said, as lines and tables of a terminal."""

from collections.abc import Sequence

from convo_gateway.cli.render import number, print_table, print_text, usd
from convo_gateway.shapes.counts import Avoided
from convo_gateway.shapes.judging import Comparisons, Judgement, TallyShown
from convo_gateway.shapes.runs import JudgeRequested

__all__ = ["avoided_text", "compared_text", "options_text", "print_judgements", "tally_fields"]

_COMPARED = {
    "better": "better than the example, in both orders",
    "worse": "worse than the example, in both orders",
    "tie": "as good as the example, in both orders",
    "undecided": "undecided: the answer changed with the order",
    "unparsed": "not compared: in one of the orders no answer could be read",
}


def tally_fields(tally: TallyShown) -> list[tuple[str, str]]:
    """How a verdict came about that stands on more than one answer."""
    left = tally.planned - tally.asked
    unread = tally.asked - tally.scored
    said = f"{tally.scored} of {tally.planned} planned samples scored, {tally.passing} of them pass"
    if unread:
        said += f"; {unread} could not be read"
    if left:
        said += f"; {left} left out, as they could not change the verdict"
    fields = [("Judged by", f"{tally.reducer}: {said}")]
    if len(tally.judges) > 1:
        each = ", ".join(
            f"{one.judge} {'none' if one.score is None else format(one.score, '.2f')}"
            f" ({one.scored} of {one.asked})"
            for one in tally.judges
        )
        spread = "" if tally.spread is None else f"; spread {tally.spread:.2f}"
        fields.append(("Judges", f"{each}{spread}"))
    if tally.compared is not None:
        fields.append(("Compared", _COMPARED[tally.compared]))
    return fields


def print_judgements(judgements: Sequence[Judgement]) -> None:
    """Every question to a judge with its answer, where there was more than one."""
    if len(judgements) < 2:
        return
    print_text("\nJudgements")
    columns = ("Step", "Asked for", "Judge", "Answer", "Scores")
    print_table(columns, [_row(one) for one in judgements], numbers=("Step",))


def _row(one: Judgement) -> list[str]:
    scores = ", ".join(f"{criterion.name} {criterion.score:g}" for criterion in one.criteria)
    what = {
        "verdict": f"sample {one.sample + 1}",
        "comparison": f"comparison, {'example' if one.sample else 'conversation'} first",
        "recheck": "recheck (not counted)",
    }[one.purpose]
    return [str(one.step), what, one.judge, _answer(one), scores or one.why or one.detail]


def _answer(one: Judgement) -> str:
    if one.state == "scored" and one.score is not None:
        return f"{one.score:.2f}" + (f", from {one.cached_from}" if one.cached_from else "")
    return one.better if one.state == "compared" else one.state.replace("_", " ")


def avoided_text(avoided: Avoided) -> str:
    """What the cache saved, beside the spend."""
    said = f"{number(avoided.verdicts)} verdicts from the cache, {usd(avoided.micro)} avoided"
    if avoided.unpriced:
        said += f" and what {number(avoided.unpriced)} of them would have cost, which is not known"
    return said


def compared_text(found: Comparisons) -> str:
    """What comparing with the example came to, with its population."""
    if not found.compared:
        return f"with {found.example}: none compared yet"
    counts = (
        (found.better, "better"),
        (found.worse_count, "worse" + (" (rejected)" if found.worse == "reject" else "")),
        (found.tie, "tie"),
        (found.undecided, "undecided by order"),
        (found.unparsed, "not read"),
    )
    parts = ", ".join(f"{number(count)} {name}" for count, name in counts)
    return f"with {found.example}, of {number(found.compared)} compared: {parts}"


def options_text(judge: JudgeRequested) -> str:
    """What else was asked of the judges; empty where nothing was."""
    parts = []
    if judge.samples > 1 or judge.panel:
        parts.append(f"{judge.samples} samples, {judge.reducer}")
    if judge.panel:
        parts.append(f"panel {', '.join(judge.panel)}")
    if judge.comparison:
        parts.append(f"compared with {judge.comparison}")
    if judge.recheck_share:
        parts.append(f"{judge.recheck_share:.0%} judged again")
    if judge.cache:
        parts.append("cache")
    return "; ".join(parts)
