"""What the judges are asked about one conversation, in which order, and what their answers come to. Pure.

Each piece is a step and a paid call of its own. First every judge gives its first sample, then the second and so on.
Samples after the first are left out only where they could not change the verdict any more. What passes is compared with
the reference, in both orders. A recheck comes last, when the verdict is decided.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from convo_events.conversations import Compared, JudgeTally, Tally
from convo_events.judging import Judging
from convo_events.outcomes import Side
from convo_events.reducing import Reduced, is_decided, of_judge, reduced
from convo_events.steps import Purpose


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing that a judge is asked for."""

    purpose: Purpose = "verdict"
    seat: int = 0
    """Who is asked; 0 is the model of the role ``judge``, the panel follows."""
    sample: int = 0
    """verdict: which sample of that judge; comparison: 1 has the reference first."""


FIRST = Piece()
"""What every judging begins with."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """What became of a piece."""

    piece: Piece
    score: float | None = None
    """verdict, recheck: the score; None where there was none that could be read."""
    better: Side | None = None
    """comparison: which is better; None where there was no answer that could be read."""
    reason: str = ""
    """Layer 0 code, where there is no answer."""
    detail: str = ""
    """Why there is none, for people."""


def verdict_pieces(judging: Judging) -> Iterator[Piece]:
    """The samples that the config asks for, in the order in which they are asked for."""
    for sample in range(judging.samples):
        for seat in range(1 + len(judging.panel)):
            yield Piece("verdict", seat, sample)


def next_piece(judging: Judging, ballots: Sequence[Ballot], *, recheck: bool) -> Piece | None:
    """What the judges are asked for next; None where the verdict can be given.

    Args:
        judging: What the config asks for.
        ballots: What they said so far.
        recheck: Whether the plan has this conversation judged once more.
    """
    cast = {ballot.piece for ballot in ballots}
    for piece in verdict_pieces(judging):
        if piece.sample > 0 and _decided(judging, ballots):
            break
        if piece not in cast:
            return piece
    found = score_of(judging, ballots)
    if found is None:
        return None
    if judging.comparison is not None and found.passes and compared(ballots) != "unparsed":
        for swapped in (0, 1):
            if (piece := Piece("comparison", 0, swapped)) not in cast:
                return piece
    again = Piece("recheck")
    return again if recheck and again not in cast else None


def score_of(judging: Judging, ballots: Sequence[Ballot]) -> Reduced | None:
    """What the verdicts come to; None where none was scored."""
    return reduced([_scores(ballots, seat) for seat in _seats(judging)], judging)


def compared(ballots: Sequence[Ballot]) -> Compared | None:
    """What the comparison came to; None where it was not made, or not in both orders yet."""
    said = [ballot.better for ballot in ballots if ballot.piece.purpose == "comparison"]
    if None in said:
        return "unparsed"
    if len(said) < 2:
        return None
    if said[0] != said[1]:
        return "undecided"
    match said[0]:
        case "candidate":
            return "better"
        case "reference":
            return "worse"
        case _:
            return "tie"


def unscored(ballots: Sequence[Ballot]) -> Ballot | None:
    """The last verdict that could not be read."""
    broken = [b for b in ballots if b.piece.purpose == "verdict" and b.score is None]
    return broken[-1] if broken else None


def tally(judging: Judging, judges: Sequence[str], ballots: Sequence[Ballot]) -> Tally | None:
    """How the verdict came about; None where a config asks for one answer only.

    Args:
        judging: What the config asks for.
        judges: Who sits on each seat, as backend and model.
        ballots: What they said.
    """
    planned = len(list(verdict_pieces(judging)))
    if planned == 1 and judging.comparison is None:
        return None
    scores = [_scores(ballots, seat) for seat in _seats(judging)]
    every = [score for of_one in scores for score in of_one]
    return Tally(
        reducer=judging.reducer,
        scored=len(every),
        planned=planned,
        passing=sum(score >= judging.threshold for score in every),
        judges=tuple(
            JudgeTally(
                judge=judges[seat],
                score=of_judge(of_one, judging),
                scored=len(of_one),
                asked=_asked(ballots, seat),
            )
            for seat, of_one in enumerate(scores)
        ),
        compared=compared(ballots),
    )


def _decided(judging: Judging, ballots: Sequence[Ballot]) -> bool:
    standing = [
        (_scores(ballots, seat), judging.samples - _asked(ballots, seat))
        for seat in _seats(judging)
    ]
    return is_decided(standing, judging)


def _seats(judging: Judging) -> range:
    return range(1 + len(judging.panel))


def _scores(ballots: Sequence[Ballot], seat: int) -> list[float]:
    return [
        ballot.score
        for ballot in ballots
        if ballot.piece.purpose == "verdict"
        and ballot.piece.seat == seat
        and ballot.score is not None
    ]


def _asked(ballots: Sequence[Ballot], seat: int) -> int:
    pieces = [ballot.piece for ballot in ballots]
    return sum(piece.purpose == "verdict" and piece.seat == seat for piece in pieces)
