"""What the judges of a conversation said, and what the comparisons of a run came to."""

import orjson

from convo_events.conversations import Tally
from convo_events.store import Connection
from convo_gateway.shapes.judging import Comparisons, Judgement, TallyShown

_COLUMNS = ", ".join(Judgement.model_fields)


async def judgements_of(c: Connection, conversation: str) -> list[Judgement]:
    """Every question to a judge, oldest first."""
    rows = await c.fetch(
        f"select {_COLUMNS} from judgement where conversation = $1 order by step", conversation
    )
    return [
        Judgement.model_validate({**row, "criteria": orjson.loads(row["criteria"])}) for row in rows
    ]


def tally_shown(stored: str | None) -> TallyShown | None:
    """How a verdict came about, as the fold stored it; None where it stands on one answer."""
    if stored is None:
        return None
    tally = Tally.model_validate_json(stored)
    scores = [judge.score for judge in tally.judges if judge.score is not None]
    return TallyShown.model_validate(
        tally.model_dump()
        | {
            "asked": sum(judge.asked for judge in tally.judges),
            "spread": max(scores) - min(scores) if len(scores) > 1 else None,
        }
    )


async def comparisons_of(c: Connection, run: str, asked: dict[str, str]) -> Comparisons:
    """The comparisons of a run.

    Args:
        c: A connection.
        run: Its id.
        asked: ``judge.comparison`` of the frozen config.
    """
    rows = await c.fetch("select outcome, n from run_comparison where run = $1", run)
    counts = {row["outcome"]: row["n"] for row in rows}
    return Comparisons(
        example=asked["example"],
        worse="reject" if asked.get("worse") == "reject" else "record",
        compared=sum(counts.values()),
        better=counts.get("better", 0),
        worse_count=counts.get("worse", 0),
        tie=counts.get("tie", 0),
        undecided=counts.get("undecided", 0),
        unparsed=counts.get("unparsed", 0),
    )
