"""Lists of runs: filtered, sorted, paged and counted. Samples are in none of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from convo_events.store import Connection
from convo_gateway.reads.runs import SUMMARY, summary
from convo_gateway.shapes.runs import RunSummary

RunSort = Literal[
    "-started",
    "started",
    "name",
    "-name",
    "-target",
    "target",
    "-accepted",
    "accepted",
    "-cost",
    "cost",
]
SortKey = str | int | datetime

_SORTED_BY: Mapping[str, tuple[str, type]] = {
    "started": ("v.planned_at", datetime),
    "name": ('lower(v.name) collate "C"', str),
    "target": ("v.target", int),
    "accepted": ("v.accepted", int),
    "cost": ("cost.cost_micro", int),
}


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs, and in which order."""

    statuses: Sequence[str] = ()
    """Only these; empty for all."""
    config: str | None = None
    """Only runs of this config."""
    words: str | None = None
    """Only runs with this in their name or id, whatever its case."""
    ids: Sequence[str] = ()
    """Only these; empty for all."""
    first_day: date | None = None
    """Only runs of this day in UTC and of later ones: by their start, or by their planning where they wait for it."""
    last_day: date | None = None
    """Only runs of this day and of earlier ones."""
    sort: RunSort = "-started"

    @property
    def key_type(self) -> type:
        """Type of what the runs are sorted by."""
        return _SORTED_BY[self.sort.lstrip("-")][1]


@dataclass(frozen=True, slots=True)
class RunCounts:
    """How many runs a filter leaves, and how many each choice of another status or config would."""

    total: int
    statuses: Mapping[str, int]
    configs: Mapping[str, int]


async def page_of_runs(
    c: Connection,
    now: datetime,
    wanted: RunFilter,
    *,
    limit: int,
    after: Sequence[object] | None = None,
) -> list[tuple[RunSummary, SortKey]]:
    """Runs in the order that is wanted, each with what it was sorted by.

    Args:
        c: a connection.
        now: the moment that rates are for.
        wanted: which runs.
        limit: most runs.
        after: sort key and id of the last run of the page before.
    """
    key, _ = _SORTED_BY[wanted.sort.lstrip("-")]
    way, side = ("desc", "<") if wanted.sort.startswith("-") else ("asc", ">")
    rows = await c.fetch(
        f"""
        select {key} as sort_key, {SUMMARY}
        where v.kind = 'generation'
          and (cardinality($3::text[]) = 0 or v.status = any($3))
          and ($4::text is null or v.config = $4)
          and (cardinality($5::text[]) = 0 or v.run = any($5))
          and {_said("$6")} and {_between("$7", "$8")}
          {f"and ({key}, v.run) {side} ($9, $10)" if after else ""}
        order by {key} {way}, v.run {way} limit $2
        """,
        now,
        limit,
        list(wanted.statuses),
        wanted.config,
        list(wanted.ids),
        wanted.words,
        wanted.first_day,
        wanted.last_day,
        *(after or ()),
    )
    return [(summary(row, now), row["sort_key"]) for row in rows]


async def count_runs(c: Connection, wanted: RunFilter) -> RunCounts:
    """Counts under a filter."""
    rows = await c.fetch(
        "select status, config, count(*) as n from run_view v "
        f"where kind = 'generation' and {_said('$1')} and {_between('$2', '$3')} group by status, config",
        wanted.words,
        wanted.first_day,
        wanted.last_day,
    )
    total, statuses, configs = 0, Counter[str](), Counter[str]()
    for row in rows:
        of_status = not wanted.statuses or row["status"] in wanted.statuses
        of_config = wanted.config is None or row["config"] == wanted.config
        statuses[row["status"]] += row["n"] * of_config
        configs[row["config"]] += row["n"] * of_status
        total += row["n"] * (of_status and of_config)
    return RunCounts(total, dict(+statuses), dict(+configs))


def _said(words: str) -> str:
    return (
        f"({words}::text is null or position(lower({words}) in lower(v.name)) > 0 "
        f"or position(lower({words}) in v.run) > 0)"
    )


def _between(first: str, last: str) -> str:
    began = "coalesce(v.started_at, v.planned_at)"
    return (
        f"({first}::date is null or {began} >= {first}::date::timestamp at time zone 'UTC') "
        f"and ({last}::date is null or {began} < ({last}::date + 1)::timestamp at time zone 'UTC')"
    )
