"""Accepted conversations that share a band with a candidate: the index in Postgres, read for many at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from convo_events.coalesce import Coalescer
from convo_events.store import Pool, outage_named


@dataclass(frozen=True, slots=True)
class Probe:
    """A candidate's question to the index."""

    run: str
    bands: tuple[int, ...]


class Neighbours:
    """Reads the near-duplicate index."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool
        self._reads: Coalescer[Probe, list[str]] = Coalescer(self._read, most=100, linger_s=0.002)

    async def sharing(self, probe: Probe) -> list[str]:
        """Ids of accepted conversations of the run that share a band, in order of their ids.

        Raises:
            Unavailable: when Postgres is away.
        """
        return await self._reads.ask(probe) if probe.bands else []

    async def _read(self, probes: Sequence[Probe]) -> list[list[str]]:
        wanted = {band for probe in probes for band in probe.bands}
        async with outage_named():
            rows = await self._pool.fetch(
                "select run, conversation, bands from accepted_signature"
                " where bands && $1::int[] and run = any($2) order by conversation",
                list(wanted),
                list({probe.run for probe in probes}),
            )
        found = [(row["run"], row["conversation"], frozenset(row["bands"])) for row in rows]
        return [
            [
                name
                for run, name, bands in found
                if run == probe.run and bands.intersection(probe.bands)
            ]
            for probe in probes
        ]
