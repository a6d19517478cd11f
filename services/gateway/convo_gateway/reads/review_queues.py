"""Conversations to review: a filter's, or a sample of so many for each value of a column; and how far people agree."""

from collections import defaultdict
from typing import Literal

from convo_events.agreement import Confusion, kappa
from convo_events.store import Connection
from convo_gateway.reads.conversation_filter import where
from convo_gateway.reads.corpus import column_of
from convo_gateway.shapes.conversation_filter import ConversationFilter, ConversationSort
from convo_gateway.shapes.reviews import PairAgreement, Queue, Queued

Per = Literal["reason", "layer", "persona", "voice", "run", "config"]
MOST = 1_000
"""Conversations of one queue."""
MOST_PAIRS = 45
"""Pairs of reviewers, of ten people."""


async def queue_of(
    c: Connection, wanted: ConversationFilter, sort: ConversationSort, reviewer: str
) -> Queue:
    """The first conversations of a list, with what ``reviewer`` said of each."""
    column, _ = column_of(sort)
    chosen = where(wanted)
    way = "desc" if sort.startswith("-") else "asc"
    rows = await c.fetch(
        f"select id, '' as part from corpus {chosen.sql}"
        f" order by {column} {way} nulls last, id {way} limit {chosen.hole(MOST + 1)}",
        *chosen.arguments,
    )
    return await _queue(c, [(row["id"], row["part"]) for row in rows], reviewer)


async def sample_of(
    c: Connection, wanted: ConversationFilter, per: Per, count: int, seed: int, reviewer: str
) -> Queue:
    """For each value of a column ``count`` conversations of a filter, the same ones for the same seed."""
    chosen = where(wanted)
    mixed = chosen.hole(str(seed))
    rows = await c.fetch(
        f"select id, part from (select id, coalesce({per}::text, '') as part, row_number() over"
        f" (partition by {per} order by md5({mixed}::text || id)) as place from corpus {chosen.sql}) ranked"
        f" where place <= {chosen.hole(count)} order by part, place limit {chosen.hole(MOST + 1)}",
        *chosen.arguments,
    )
    return await _queue(c, [(row["id"], row["part"]) for row in rows], reviewer)


async def _queue(c: Connection, places: list[tuple[str, str]], reviewer: str) -> Queue:
    more, places = len(places) > MOST, places[:MOST]
    names = [name for name, _ in places]
    rows = await c.fetch(
        "select id, status, reason, review, review_version, preview from conversation where id = any($1)",
        names,
    )
    known = {row["id"]: row for row in rows}
    mine = {
        row["conversation"]: row["decision"]
        for row in await c.fetch(
            "select conversation, decision from review_latest where reviewer = $1 and conversation = any($2)",
            reviewer,
            names,
        )
    }
    items = [
        Queued(
            conversation=name,
            part=part,
            status=known[name]["status"],
            reason=known[name]["reason"],
            preview=known[name]["preview"],
            review=known[name]["review"],
            version=known[name]["review_version"],
            mine=mine.get(name),
        )
        for name, part in places
        if name in known
    ]
    return Queue(
        items=items,
        reviewed=sum(item.version > 0 for item in items),
        reviewed_by_you=sum(item.mine is not None for item in items),
        of=len(items),
        more=more,
    )


async def agreement_of(c: Connection, wanted: ConversationFilter) -> list[PairAgreement]:
    """How far people agree who accepted or rejected the same conversations of a filter; most cases first."""
    chosen = where(wanted)
    rows = await c.fetch(
        "select one.reviewer as first, other.reviewer as second, one.decision = 'accepted' as yes,"
        " other.decision = 'accepted' as other_yes, count(*)::int as n"
        f" from (select id from corpus {chosen.sql}) k"
        " join review_latest one on one.conversation = k.id and one.decision in ('accepted', 'rejected')"
        " join review_latest other on other.conversation = k.id and other.reviewer > one.reviewer"
        " and other.decision in ('accepted', 'rejected') group by 1, 2, 3, 4",
        *chosen.arguments,
    )
    tables: dict[tuple[str, str], dict[tuple[bool, bool], int]] = defaultdict(dict)
    for row in rows:
        tables[row["first"], row["second"]][row["yes"], row["other_yes"]] = row["n"]
    pairs = [_pair(first, second, cells) for (first, second), cells in sorted(tables.items())]
    return sorted(pairs, key=lambda pair: -pair.both)[:MOST_PAIRS]


def _pair(first: str, second: str, cells: dict[tuple[bool, bool], int]) -> PairAgreement:
    table = Confusion(
        both_yes=cells.get((True, True), 0),
        first_only=cells.get((True, False), 0),
        second_only=cells.get((False, True), 0),
        both_no=cells.get((False, False), 0),
    )
    found = kappa(table)
    return PairAgreement(
        first=first,
        second=second,
        both=table.n,
        same=table.both_yes + table.both_no,
        kappa=found.value,
        low=found.low,
        high=found.high,
        why=found.why,
    )
