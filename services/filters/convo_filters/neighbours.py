"""Accepted conversations that share a band with a candidate: the index in Postgres, read for many at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.coalesce import Coalescer
from convo_events.store import Pool, outage_named

_ENDS = """
select r.run, coalesce((select max(s.position) from accepted_signature s where s.run = r.run), 0) as position
from unnest($1::text[]) as r (run)
"""
_SHARING = """
select distinct on (s.conversation) s.run, s.conversation, s.bands
from unnest($1::int[]) as probe (band)
cross join lateral (
  select run, conversation, bands from accepted_signature where bands @> array[probe.band] offset 0
) s
where s.run = any($2) order by s.conversation
"""
"""One look into the index a band. The planner has no idea how rare a band is: asked for many at once, beside the run,
or while the table is small or new, it reads all of it and compares array with array."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A candidate's question to the index."""

    run: str
    bands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """The index's answer."""

    names: tuple[str, ...] = ()
    """Ids of accepted conversations of the run that share a band, in their order."""
    position: int = 0
    """Position in the index up to which it was looked through; later ones are the scheduler's to compare."""


class Neighbours:
    """Reads the near-duplicate index."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool
        self._reads: Coalescer[Probe, Seen] = Coalescer(self._read, most=100, linger_s=0.002)

    async def sharing(self, probe: Probe) -> Seen:
        """Accepted conversations that share a band with the candidate.

        Raises:
            Unavailable: when Postgres is away.
        """
        return await self._reads.ask(probe) if probe.bands else Seen()

    async def _read(self, probes: Sequence[Probe]) -> list[Seen]:
        wanted = {band for probe in probes for band in probe.bands}
        runs = list({probe.run for probe in probes})
        async with outage_named(), self._pool.acquire() as c, c.transaction():
            await c.execute("set local enable_seqscan = off")
            # Read first: whatever is accepted between the two reads is looked at twice and never missed.
            ends = await c.fetch(_ENDS, runs)
            rows = await c.fetch(_SHARING, list(wanted), runs)
        found = [(row["run"], row["conversation"], frozenset(row["bands"])) for row in rows]
        positions = {row["run"]: int(row["position"]) for row in ends}
        return [
            Seen(
                tuple(
                    name
                    for run, name, bands in found
                    if run == probe.run and bands.intersection(probe.bands)
                ),
                positions[probe.run],
            )
            for probe in probes
        ]
