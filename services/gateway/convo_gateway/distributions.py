"""What accepted conversations of a run have in common, put together when somebody looks, and kept for a while.

The last ones are read and counted whole. Of all of them the projector has counts that do not grow, and a sample by
name; no read goes through the run.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence

import asyncpg
from pydantic import ValidationError

from convo_events.accepted_text import AcceptedText
from convo_events.distinct import WINDOW
from convo_events.masking import mask_of
from convo_events.runs import FINAL
from convo_events.similarity import shingles
from convo_events.snapshot import Snapshot
from convo_events.store import Connection
from convo_gateway.reads.accepted_texts import counted_of, last_accepted, texts_of
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.self_similarity import compared
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.distributions import Distributions, Over, SelfSimilarity
from convo_gateway.text_spread import Spread, counted_spread, exact_spread

PAUSE_S = 10.0
"""Least time between two computations for one run while it goes."""
_KEPT = 128

Run = asyncpg.Record
"""A row of ``run_view``."""


class DistributionsOfRuns:
    """Answers by run and population, the ones used last."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: OrderedDict[tuple[str, Over], tuple[Distributions, int, float]] = OrderedDict()

    async def of(self, c: Connection, run: Run, over: Over) -> Distributions:
        """Of the last or of all accepted conversations; up to 10 seconds old unless the run has ended."""
        key, moment = (run["run"], over), time.monotonic()
        # All of few are the last ones, and those are counted exactly.
        row = (
            await counted_of(c, run["run"]) if over == "all" and run["accepted"] > WINDOW else None
        )
        exact = over == "last" or run["accepted"] <= WINDOW
        reached = run["accepted"] if exact else (row["accepted"] if row else 0)
        found, counted, computed_at = self._known.get(key, (None, -1, 0.0))
        is_old = moment - computed_at >= PAUSE_S or run["status"] in FINAL
        if found is None or (is_old and counted != reached):
            found = await (_exact(c, run, over) if exact else _counted(c, run, row))
            self._known[key] = (found, reached, moment)
        self._known.move_to_end(key)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return found


async def _exact(c: Connection, run: Run, over: Over) -> Distributions:
    texts = await last_accepted(c, run["run"], WINDOW)
    scope = "accepted of this run" if over == "all" else "last 100 accepted of this run"
    spread = await asyncio.to_thread(exact_spread, texts)
    return await _answer(c, run, over, len(texts), spread, texts, scope)


async def _counted(c: Connection, run: Run, row: asyncpg.Record | None) -> Distributions:
    spread = counted_spread(dict(row)) if row else Spread()
    sample = await texts_of(c, row["sample"]) if row else []
    many = row["accepted"] if row else 0
    return await _answer(
        c, run, "all", many, spread, sample, f"sample of {many:,} accepted of this run"
    )


async def _answer(
    c: Connection,
    run: Run,
    over: Over,
    counted: int,
    spread: Spread,
    compare: Sequence[AcceptedText],
    scope: str,
) -> Distributions:
    similarity = await _similarity(c, run, compare, scope)
    population = Counted(
        value=counted,
        unit="conversations",
        scope="last 100 accepted of this run" if over == "last" else "accepted of this run",
        of=run["accepted"],
    )
    return Distributions(
        over=over,
        conversations=population,
        grams=spread.grams,
        lengths=spread.lengths,
        openings=spread.openings,
        similarity=similarity,
    )


async def _similarity(
    c: Connection, run: Run, texts: Sequence[AcceptedText], scope: str
) -> SelfSimilarity:
    frozen = await _frozen(c, run)
    mask = mask_of(frozen) if frozen else frozenset()
    found = await asyncio.to_thread(
        lambda: compared([(one.conversation, shingles(one.bodies, mask)) for one in texts])
    )
    return SelfSimilarity(
        conversations=Counted(
            value=found.conversations, unit="conversations", scope=scope, of=run["accepted"]
        ),
        pairs=found.pairs,
        mean=found.mean,
        highest=found.highest,
        between=list(found.between),
        nearest=found.nearest,
        limit=frozen.config.diversity.near_duplicate if frozen else None,
    )


async def _frozen(c: Connection, run: Run) -> Snapshot | None:
    """What the run froze; None where it is not in this database, or of an older shape."""
    body = await snapshot_body(c, run["snapshot"])
    if body is None:
        return None
    try:
        return Snapshot.model_validate_json(body)
    except ValidationError:
        return None
