"""The near-duplicate index in Postgres: which accepted conversations share bands with one that is looked at.

The work of a look does not grow with what was accepted. Of a band that very many have, the few hundred first rows are
read at most, and its rows are left out; near conversations share many bands, so they are found by the others. Where too
few others are left to be sure of that, such bands are read in full.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from convo_events.fingerprints import Sketch
from convo_events.layouts import Layout, fewest_shared
from convo_events.store import Pool, outage_named

Scope = Literal["run", "config", "everything"]
MOST_IN_BAND = 256
"""Rows of one band that are read; a band with more is hot."""
_MOST_HOT = 100_000
"""Hot bands that are remembered: rows are never taken out, so what is hot stays hot."""
_COLUMNS: dict[bool, str] = {True: "bands", False: "corpus"}
"""Where the bands are of a look into the own run only, and of one into others."""
_MATCHES = """
select probe.band, array_agg(s.position) as positions
from unnest($1::int[]) as probe (band)
cross join lateral (
  select position from accepted_signature where {column} @> array[probe.band] limit $2
) s group by probe.band
"""
"""One look into the index a band. The planner has no idea how rare a band is: asked for many at once, or while the
table is small or new, it reads all of it and compares array with array."""
_PLAIN = "set local enable_seqscan = off; set local enable_indexscan = off; set local jit = off"
_SHARING = """
select s.position from unnest($1::int[]) as probe (band)
cross join lateral (
  select position from accepted_signature where {column} @> array[probe.band] offset 0
) s group by s.position having count(*) >= $2
"""
_ENTRY = """
s.position, s.conversation, s.run, coalesce(v.config, '') as config, coalesce(v.kind, '') as kind
"""


@dataclass(frozen=True, slots=True)
class Looker:
    """Who looks, and how far."""

    run: str
    config: str
    scope: Scope

    def sees(self, run: str, config: str, kind: str) -> bool:
        """Whether conversations of a run are in the scope; those of samples are in their own run's only."""
        if run == self.run:
            return True
        other = self.scope == "everything" or (self.scope == "config" and config == self.config)
        return other and kind == "generation"


@dataclass(frozen=True, slots=True)
class Probe:
    """A conversation's question to the index."""

    looker: Looker
    bands: tuple[int, ...]
    layout: Layout


@dataclass(frozen=True, slots=True)
class Entry:
    """An accepted conversation."""

    conversation: str
    position: int
    bands: frozenset[int] = frozenset()
    """Read only by ``recent``."""
    sample: Sketch | None = None
    """Read only by ``sharing``; None where an earlier convo kept none."""


class NearIndex:
    """Reads the index."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool
        self._hot: dict[str, set[int]] = {column: set() for column in _COLUMNS.values()}

    async def end(self) -> int:
        """Position of what was accepted last; 0 for nothing.

        Raises:
            Unavailable: when Postgres is away.
        """
        async with outage_named():
            return int(
                await self._pool.fetchval("select max(position) from accepted_signature") or 0
            )

    async def sharing(self, probes: Sequence[Probe]) -> list[list[Entry]]:
        """For each probe the conversations in its scope that share enough bands to be too near, in no order.

        Raises:
            Unavailable: when Postgres is away.
        """
        found: dict[int, set[int]] = {}
        for own, column in _COLUMNS.items():
            here = [at for at, p in enumerate(probes) if (p.looker.scope == "run") is own]
            if here:
                positions = await self._positions(column, [probes[at] for at in here])
                found |= zip(here, positions, strict=True)
        seen = await self._entries(set().union(*found.values()))
        return [
            [
                entry
                for entry, place in map(seen.__getitem__, found[at] & seen.keys())
                if probe.looker.sees(*place)
            ]
            for at, probe in enumerate(probes)
        ]

    async def recent(self, looker: Looker, after: int, most: int) -> list[Entry]:
        """The newest accepted conversations in a scope behind a position, newest first.

        Args:
            looker: Who looks.
            after: Positions up to this are left out.
            most: Rows that are read, other scopes' too.

        Raises:
            Unavailable: when Postgres is away.
        """
        own = looker.scope == "run"
        only = "and run = $3" if own else ""
        async with outage_named():
            rows = await self._pool.fetch(
                f"select {_ENTRY}, s.{_COLUMNS[own]} as bands from (select * from accepted_signature"
                f" where position > $1 {only} order by position desc limit $2) s"
                " left join run_view v on v.run = s.run order by s.position desc",
                *(after, most, *([looker.run] if own else [])),
            )
        return [
            Entry(row["conversation"], row["position"], bands=frozenset(row["bands"]))
            if looker.sees(row["run"], row["config"], row["kind"])
            else Entry("", row["position"])
            for row in rows
        ]

    async def samples(self, conversations: Iterable[str]) -> dict[str, Sketch]:
        """What is kept of conversations to estimate similarities by; nothing where nothing is kept.

        Raises:
            Unavailable: when Postgres is away.
        """
        async with outage_named():
            rows = await self._pool.fetch(
                "select conversation, sample from accepted_signature"
                " where conversation = any($1) and sample <> '{}'",
                list(conversations),
            )
        return {row["conversation"]: Sketch.stored(row["sample"]) for row in rows}

    async def _positions(self, column: str, probes: Sequence[Probe]) -> list[set[int]]:
        hot = self._hot[column]
        wanted = {band for probe in probes for band in probe.bands} - hot
        async with outage_named(), self._pool.acquire() as c, c.transaction():
            await c.execute(_PLAIN)
            rows = await c.fetch(_MATCHES.format(column=column), list(wanted), MOST_IN_BAND + 1)
        if len(hot) > _MOST_HOT:
            hot.clear()
        hot.update(row["band"] for row in rows if len(row["positions"]) > MOST_IN_BAND)
        matches = {row["band"]: row["positions"] for row in rows if row["band"] not in hot}
        found = []
        for probe in probes:
            counts = Counter(p for band in set(probe.bands) for p in matches.get(band, ()))
            fewest = fewest_shared(probe.layout, len(hot.intersection(probe.bands)))
            if fewest is None:
                found.append(await self._in_full(column, probe))
            else:
                found.append({position for position, n in counts.items() if n >= fewest})
        return found

    async def _in_full(self, column: str, probe: Probe) -> set[int]:
        async with outage_named(), self._pool.acquire() as c, c.transaction():
            await c.execute(_PLAIN)
            rows = await c.fetch(
                _SHARING.format(column=column), list(set(probe.bands)), fewest_shared(probe.layout)
            )
        return {row["position"] for row in rows}

    async def _entries(self, positions: set[int]) -> dict[int, tuple[Entry, tuple[str, str, str]]]:
        if not positions:
            return {}
        async with outage_named():
            rows = await self._pool.fetch(
                f"select {_ENTRY}, s.sample from accepted_signature s"
                " left join run_view v on v.run = s.run where s.position = any($1)",
                list(positions),
            )
        return {
            row["position"]: (
                Entry(
                    row["conversation"],
                    row["position"],
                    sample=Sketch.stored(row["sample"]) if row["sample"] else None,
                ),
                (row["run"], row["config"], row["kind"]),
            )
            for row in rows
        }
