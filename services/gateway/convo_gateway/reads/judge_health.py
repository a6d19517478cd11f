"""What the read model says of a run's judges, and what people decided about the same conversations."""

from dataclasses import dataclass
from typing import Any

from convo_events.agreement import Confusion
from convo_events.store import Connection


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Judges and people on the same conversations, and people among each other."""

    judges: Confusion
    """First the judges, then people."""
    flagged: int
    unscored: int
    people: Confusion


async def judge_rows(c: Connection, run: str) -> list[dict[str, Any]]:
    """The rows of ``judge_health``, by judge."""
    rows = await c.fetch("select * from judge_health where run = $1 order by judge", run)
    return [dict(row) for row in rows]


async def reviewed(c: Connection, run: str) -> Reviewed:
    """Latest decisions of people beside the judges' verdicts, and beside each other."""
    cells = {True: {True: 0, False: 0}, False: {True: 0, False: 0}}
    flagged = unscored = 0
    for row in await c.fetch(_JUDGES, run):
        if row["accepted"] is None:
            flagged += row["n"]
        elif row["passes"] is None:
            unscored += row["n"]
        else:
            cells[row["passes"]][row["accepted"]] += row["n"]
    pairs = {(row["one"], row["other"]): row["n"] for row in await c.fetch(_PEOPLE, run)}
    return Reviewed(
        judges=Confusion(
            both_yes=cells[True][True],
            first_only=cells[True][False],
            second_only=cells[False][True],
            both_no=cells[False][False],
        ),
        flagged=flagged,
        unscored=unscored,
        people=Confusion(
            both_yes=pairs.get((True, True), 0),
            first_only=pairs.get((True, False), 0),
            second_only=pairs.get((False, True), 0),
            both_no=pairs.get((False, False), 0),
        ),
    )


_JUDGES = """
with latest as (
  select distinct on (conversation) conversation, decision from review where run = $1
  order by conversation, version desc
)
select case l.decision when 'accepted' then true when 'rejected' then false end as accepted,
  -- Judges fail what layer 3 rejects; a near duplicate that is rejected after its score has passed them.
  case when c.score is null or c.settled_seq is null or c.layer = 0 then null else c.layer is distinct from 3
  end as passes,
  count(*)::int as n
from latest l join conversation c on c.id = l.conversation group by 1, 2
"""
_PEOPLE = """
with held as (
  select distinct on (conversation, reviewer) conversation, reviewer, decision, version from review where run = $1
  order by conversation, reviewer, version desc
), ranked as (
  select conversation, decision = 'accepted' as accepted,
    row_number() over (partition by conversation order by version desc) as place
  from held where decision in ('accepted', 'rejected')
)
select one.accepted as one, other.accepted as other, count(*)::int as n
from ranked one join ranked other on other.conversation = one.conversation and other.place = 2
where one.place = 1 group by 1, 2
"""
