"""The corpus beside the fold: rows and counts that follow from conversations which changed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from convo_events.store import Connection
from convo_projector.projections import conversations, corpus, corpus_counts, run_view
from convo_projector.stamp import Key

_ADD = (
    "insert into corpus_count as t (run, facet, value, n)"
    " select x.run, x.facet, x.value, x.n from {source} as x (run, facet, value, n)"
    " on conflict (run, facet, value) do update set n = t.n + excluded.n"
)


class Listing:
    """What a batch changes in the corpus."""

    def __init__(self) -> None:
        """Nothing is changed yet."""
        self.rows: dict[Key, corpus.Row] = {}
        self.counts: Counter[Key] = Counter()
        """Also with 0: the same rows are there however the log is cut."""
        self.settled: list[str] = []
        """Conversations whose words are to be read: they have their verdict now, or were edited after it."""

    def follow(
        self, before: conversations.Row | None, after: conversations.Row, run: run_view.Row
    ) -> None:
        """Take in one change of one conversation."""
        if before is not None and _reads_otherwise(before, after):
            self.settled.append(after.id)
        row = corpus.row_of(after, run)
        old = corpus.row_of(before, run) if before is not None else None
        if row == old:
            return
        self.rows[(row.id,)] = row
        for key, n in corpus_counts.moves(old, row):
            self.counts[key] += n
        if row.status not in corpus.UNSETTLED and (old is None or old.status in corpus.UNSETTLED):
            self.settled.append(row.id)


def _reads_otherwise(before: conversations.Row, after: conversations.Row) -> bool:
    """Whether a person's edits came or went."""
    reviewed = after.review_version > before.review_version
    return reviewed and (before.edited or after.edited) and after.status not in corpus.UNSETTLED


async def follow_up(c: Connection, listing: Listing) -> None:
    """Add to the counts of the corpus, and have the words read of what has its verdict or other edits now."""
    if listing.counts:
        await _add_counts(c, listing.counts)
    if listing.settled:
        await c.execute(
            "insert into corpus_unread select unnest($1::text[]) on conflict do nothing",
            listing.settled,
        )


async def _add_counts(c: Connection, counts: Mapping[Key, int]) -> None:
    columns: list[list[Any]] = [list(column) for column in zip(*counts, strict=True)]
    source = "unnest($1::text[], $2::text[], $3::text[], $4::bigint[])"
    await c.execute(_ADD.format(source=source), *columns, list(counts.values()))


async def cancel_open(c: Connection, runs: Sequence[str]) -> None:
    """Say of what ended runs leave open that it is cancelled."""
    source = f"""(
      select g.run, 'status', v.status, sum(v.n) from gone
      cross join lateral (values ('open', -1), ('cancelled', 1)) v (status, n)
      cross join lateral (select gone.run union all select '{corpus_counts.ALL_RUNS}' where not gone.sample) g (run)
      group by 1, 2, 3)"""
    await c.execute(
        "with gone as (update corpus set status = 'cancelled' where run = any($1) and status = 'open'"
        f" returning run, sample) {_ADD.format(source=source)}",
        list(runs),
    )
