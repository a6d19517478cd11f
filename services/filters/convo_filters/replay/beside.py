"""What is kept beside the verdicts of a run: turns, samples of the judges, and the index of what was accepted."""

from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.conversations import Turn
from convo_events.judging import Judging
from convo_events.store import Pool, outage_named
from convo_filters.replay.redecide import Samples

_TURNS = """
select conversation, role, body, finish from turn where conversation = any($1) order by conversation, number
"""
_SAMPLES = """
select distinct on (conversation, seat, sample) conversation, seat, score from judgement
where conversation = any($1) and purpose = 'verdict' order by conversation, seat, sample, step desc
"""
"""Of several tries of a sample the last one counts."""
_BANDS = "select conversation, bands from accepted_signature where conversation = any($1)"


@dataclass(frozen=True, slots=True)
class Said:
    """The turns of a conversation, and why the model stopped in each."""

    turns: tuple[Turn, ...]
    finishes: tuple[str, ...]

    @property
    def bodies(self) -> list[str]:
        """What was said, oldest first."""
        return [turn.text for turn in self.turns]


NOTHING = Said((), ())


async def said_in(pool: Pool, conversations: Sequence[str]) -> dict[str, Said]:
    """The turns of some conversations by id; one without turns is missing.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        rows = await pool.fetch(_TURNS, list(conversations))
    turns: dict[str, tuple[list[Turn], list[str]]] = {}
    for name, role, body, finish in rows:
        texts, finishes = turns.setdefault(name, ([], []))
        texts.append(Turn.model_construct(role=role, text=body))
        finishes.append(finish)
    return {name: Said(tuple(said), tuple(ends)) for name, (said, ends) in turns.items()}


async def samples_of(
    pool: Pool, conversations: Sequence[str], judging: Judging
) -> dict[str, Samples]:
    """What the judges said of some conversations, by id; one that was never judged is missing.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        rows = await pool.fetch(_SAMPLES, list(conversations))
    seats = range(1 + len(judging.panel))
    asked: dict[str, list[list[float | None]]] = {}
    for name, seat, score in rows:
        of_one = asked.setdefault(name, [[] for _ in seats])
        if seat in seats:
            of_one[seat].append(score)
    return {
        name: tuple(
            (
                tuple(score for score in scores if score is not None),
                max(0, judging.samples - len(scores)),
            )
            for scores in of_one
        )
        for name, of_one in asked.items()
    }


async def stored_bands(pool: Pool, conversations: Sequence[str]) -> dict[str, list[int]]:
    """The band hashes of accepted conversations by id, as the run's own index has them.

    Raises:
        Unavailable: when Postgres is away.
    """
    async with outage_named():
        rows = await pool.fetch(_BANDS, list(conversations))
    return {row["conversation"]: row["bands"] for row in rows}
