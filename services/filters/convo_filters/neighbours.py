"""Layer 2's look at accepted conversations: the index proposes, samples sort out, the words decide."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.catalog import RunConfig
from convo_events.coalesce import Coalescer
from convo_events.fingerprints import UNKNOWN, Estimate, Fingerprint, Sketch, estimate
from convo_events.layouts import Layout
from convo_events.masking import Mask
from convo_events.near_index import Entry, Looker, NearIndex, Probe
from convo_events.similarity import (
    Neighbour,
    Shingles,
    band_hashes,
    minhash,
    nearest,
    shingles,
    too_near,
    unmasked,
)
from convo_events.store import Pool
from convo_models.transcripts import Transcripts

TOGETHER = 16
"""Conversations whose words are read at once."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A conversation that is looked at."""

    looker: Looker
    whole: Shingles
    """All its shingles, nothing masked."""
    mask: Mask
    limit: float | None
    """Similarity above which another one is too near; None where nothing is."""
    own_bands: tuple[int, ...]
    """For the index of its own run; none without a limit."""
    fingerprint: Fingerprint

    @classmethod
    def of(cls, run: str, config: RunConfig, whole: Shingles, mask: Mask) -> "Subject":
        """A conversation of a run, from its shingles."""
        limit, scope = config.diversity.near_duplicate, config.diversity.scope
        minima = minhash(unmasked(whole, mask.shingles))
        return cls(
            looker=Looker(run, config.name, scope),
            whole=whole,
            mask=mask,
            limit=limit,
            own_bands=() if limit is None else band_hashes(minima, limit, run),
            fingerprint=Fingerprint.of(whole, minima),
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found."""

    nearest: Neighbour | None = None
    """The nearest accepted conversation above the limit; None where all are far enough."""
    turns: tuple[str, ...] = ()
    """Its turns."""
    position: int = 0
    """Position in the index up to which it was looked through; later ones are the scheduler's to compare."""


class Neighbours:
    """Looks for near neighbours; concurrent looks of a process share their reads."""

    def __init__(self, pool: Pool, transcripts: Transcripts) -> None:
        """Take the database, and what reads turns."""
        self._index = NearIndex(pool)
        self._transcripts = transcripts
        self._reads: Coalescer[Probe, tuple[int, list[Entry]]] = Coalescer(
            self._read, most=100, linger_s=0.002
        )

    async def look(self, subject: Subject) -> Seen:
        """The nearest accepted conversation in the scope that is too near.

        Raises:
            Unavailable: when Postgres is away.
        """
        limit = subject.limit
        if limit is None or not subject.whole:
            return Seen()
        if subject.looker.scope == "run":
            bands, layout = subject.own_bands, Layout.of_run(limit)
        else:
            bands, layout = subject.fingerprint.bands, Layout.of_corpus(limit)
        position, entries = await self._reads.ask(Probe(subject.looker, bands, layout))
        best, turns = await self._nearest(subject, limit, plausible(subject, limit, entries))
        return Seen(best, turns, position)

    async def _nearest(
        self, subject: Subject, limit: float, ranked: Sequence[tuple[Estimate, str]]
    ) -> tuple[Neighbour | None, tuple[str, ...]]:
        """By the words, a few at a time, until none that is left can be nearer."""
        mine = unmasked(subject.whole, subject.mask.shingles)
        best: Neighbour | None = None
        turns: tuple[str, ...] = ()
        for start in range(0, len(ranked), TOGETHER):
            part = ranked[start : start + TOGETHER]
            if best is not None and part[0][0].most < best.similarity:
                break
            names = [name for _, name in part]
            read = await asyncio.gather(*map(self._transcripts.get, names))
            texts = {
                n: tuple(turn.text for turn in t.turns) for n, t in zip(names, read, strict=True)
            }
            sets = [(name, shingles(texts[name], subject.mask.shingles)) for name in names]
            found = nearest(mine, sets, limit)
            if found is not None and (best is None or found.similarity > best.similarity):
                best, turns = found, texts[found.conversation]
        return best, turns

    async def _read(self, probes: Sequence[Probe]) -> list[tuple[int, list[Entry]]]:
        # Read first: whatever is accepted between the two reads is looked at twice and never missed.
        end = await self._index.end()
        return [(end, entries) for entries in await self._index.sharing(probes)]


def plausible(
    subject: Subject, limit: float, entries: Sequence[Entry]
) -> list[tuple[Estimate, str]]:
    """Those that may be above the limit by their samples, the likeliest first."""
    mine = Sketch.of(subject.whole)
    ranked = [
        (
            estimate(mine, entry.sample, subject.mask.short, limit) if entry.sample else UNKNOWN,
            entry.conversation,
        )
        for entry in entries
    ]
    likely = [pair for pair in ranked if too_near(pair[0].most, limit)]
    return sorted(likely, key=lambda pair: (-pair[0].most, pair[1]))
