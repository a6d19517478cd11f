"""What judges are asked in which order, where it ends, and what their answers come to."""

from collections.abc import Callable

import pytest

from convo_events.ballots import Ballot, Piece, compared, next_piece, tally
from convo_events.catalog import JudgedCriterion, Judging, PairComparison, RoleModel
from convo_events.outcomes import Side

CRITERIA = (JudgedCriterion(name="natural", question="?"),)
PANEL = (RoleModel(backend="b", model="second"), RoleModel(backend="b", model="third"))
COMPARED = PairComparison(example="greeting")


def judging(**options: object) -> Judging:
    return Judging.model_validate({"criteria": CRITERIA, "threshold": 3, **options})


def asked(
    config: Judging, answer: Callable[[Piece], Ballot], *, recheck: bool = False
) -> list[Piece]:
    """Every piece that is asked for, where the judges answer like that."""
    ballots: list[Ballot] = []
    while (piece := next_piece(config, ballots, recheck=recheck)) is not None:
        ballots.append(answer(piece))
        assert len(ballots) < 60
    return [ballot.piece for ballot in ballots]


def scoring(*scores: float | None, better: Side | None = "tie") -> Callable[[Piece], Ballot]:
    """Scores one after another; None where nothing could be read."""
    left = list(scores)

    def answer(piece: Piece) -> Ballot:
        if piece.purpose == "comparison":
            return Ballot(piece, better=better)
        return Ballot(piece, score=left.pop(0) if piece.purpose == "verdict" else 1.0)

    return answer


def test_one_judge_with_one_sample_is_asked_once() -> None:
    assert asked(judging(), scoring(5)) == [Piece()]
    assert asked(judging(), scoring(None), recheck=True) == [Piece()], "nothing to check again"


def test_every_judge_is_heard_before_anyone_is_heard_again() -> None:
    found = asked(judging(samples=2, panel=PANEL), scoring(3, 3, 3, 3, 3, 3))
    assert [(p.seat, p.sample) for p in found] == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


@pytest.mark.parametrize(
    ("options", "scores", "count"),
    [
        ({"samples": 3}, (1, 1), 2),
        ({"samples": 3}, (3, 3, 3), 3),
        ({"samples": 3, "reducer": "lowest"}, (1,), 1),
        ({"samples": 3, "reducer": "majority"}, (3, 3), 2),
        ({"samples": 3, "reducer": "majority"}, (3, 1, 3), 3),
        ({"samples": 3, "reducer": "median"}, (4, None, 4), 3),
        ({"samples": 3, "reducer": "median"}, (5, None), 2),
        ({"samples": 9, "reducer": "lowest", "panel": PANEL}, (1, 1, 1), 3),
    ],
)
def test_samples_end_where_no_other_could_change_the_verdict(
    options: dict[str, object], scores: tuple[float | None, ...], count: int
) -> None:
    assert len(asked(judging(**options), scoring(*scores))) == count


def test_only_what_passes_is_compared_and_always_in_both_orders() -> None:
    both = [Piece("comparison", 0, 0), Piece("comparison", 0, 1)]
    assert asked(judging(comparison=COMPARED), scoring(4)) == [Piece(), *both]
    assert asked(judging(comparison=COMPARED), scoring(2)) == [Piece()]
    assert asked(judging(comparison=COMPARED), scoring(4, better=None)) == [Piece(), both[0]]


def test_a_recheck_comes_last_whatever_the_verdict() -> None:
    again = Piece("recheck")
    assert asked(judging(recheck_share=1), scoring(1), recheck=True) == [Piece(), again]
    everything = asked(judging(samples=2, comparison=COMPARED), scoring(3, 3), recheck=True)
    assert [p.purpose for p in everything] == [*["verdict"] * 2, *["comparison"] * 2, "recheck"]


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("candidate", "candidate", "better"),
        ("reference", "reference", "worse"),
        ("tie", "tie", "tie"),
        ("candidate", "reference", "undecided"),
        ("tie", "candidate", "undecided"),
        ("candidate", None, "unparsed"),
    ],
)
def test_only_what_survives_the_swap_counts(
    first: Side | None, second: Side | None, outcome: str
) -> None:
    ballots = [
        Ballot(Piece("comparison", 0, at), better=side) for at, side in enumerate((first, second))
    ]
    assert compared(ballots) == outcome
    assert compared(ballots[:1]) is None


def test_the_tally_says_how_many_of_the_planned_samples_count() -> None:
    config = judging(samples=2, panel=PANEL[:1], comparison=COMPARED)
    ballots = [
        Ballot(Piece("verdict", 0, 0), score=4),
        Ballot(Piece("verdict", 1, 0), reason="judge_unparsed"),
        Ballot(Piece("verdict", 0, 1), score=2),
        Ballot(Piece("recheck"), score=1),
    ]
    found = tally(config, ["b/first", "b/second"], ballots)
    assert found is not None
    assert (found.scored, found.planned, found.passing, found.compared) == (2, 4, 1, None)
    assert [(j.judge, j.score, j.scored, j.asked) for j in found.judges] == [
        ("b/first", 3, 2, 2),
        ("b/second", None, 0, 1),
    ]
    assert tally(judging(), ["b/first"], ballots[:1]) is None
