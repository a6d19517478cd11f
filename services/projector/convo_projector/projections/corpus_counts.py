"""How many conversations have each value of a facet, in each run and in all of them: what no filter has to count."""

from collections.abc import Iterator
from dataclasses import dataclass

from convo_projector.projections.corpus import Row as Listed
from convo_projector.stamp import Key

TABLE = "corpus_count"
KEY = ("run", "facet", "value")
ALL_RUNS = ""
"""In place of a run: all runs but samples."""


@dataclass(frozen=True, slots=True)
class Row:
    """One value of one facet."""

    run: str
    facet: str
    value: str
    n: int


def moves(before: Listed | None, after: Listed) -> Iterator[tuple[Key, int]]:
    """What a conversation that changed adds to the counts and takes from them."""
    runs = (after.run,) if after.sample else (after.run, ALL_RUNS)
    new, old = _values(after), _values(before) if before else {}
    for facet, value in new.items():
        if old.get(facet) == value:
            continue
        for run in runs:
            if facet in old:
                yield (run, facet, old[facet]), -1
            yield (run, facet, value), 1


def _values(row: Listed) -> dict[str, str]:
    return {
        "status": row.status,
        "reason": row.reason,
        "layer": "" if row.layer is None else str(row.layer),
        "persona": row.persona,
        "voice": row.voice,
        "review": row.review,
        "edited": "true" if row.edited else "false",
    }
