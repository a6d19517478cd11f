"""Verdicts that were paid for before: looked up by the hash of the request, and given again at no cost."""

from datetime import datetime

import orjson
from pydantic import TypeAdapter

from convo_events.catalog import Judging
from convo_events.clock import now
from convo_events.outcomes import CriterionScore, Judged
from convo_events.prices import cost_micro
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested
from convo_events.store import Pool, outage_named
from convo_events.usage import Usage
from convo_events.verdict_cache import slot_of
from convo_judge.handlers import judged
from convo_judge.verdict import scored
from convo_models.paid_work import Order

_SCORES = TypeAdapter(tuple[CriterionScore, ...])
# Only while the run may make calls, and only where none was begun for the step: then the ledger has its answer.
_FIND = """
select k.conversation, k.usage, j.criteria
  from judge_cache k join judgement j on j.conversation = k.conversation and j.step = k.step
 where k.slot = $1 and k.request = $2 and j.state = 'scored'
   and exists (select from run_control where run = $3 and status = 'running' and epoch = $6)
   and not exists (select from model_call where run = $3 and thread = $4 and step = $5)
"""


class EarlierVerdicts:
    """The cache of verdicts, as the projector keeps it."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool

    async def find(self, step: StepRequested, snapshot: Snapshot, order: Order) -> Judged | None:
        """The verdict that the step gets without a call; None where the judge has to be asked.

        Raises:
            Unavailable: when Postgres is away.
        """
        judging = snapshot.config.judge
        if not order.cache_key or judging is None:
            return None
        async with outage_named():
            row = await self._pool.fetchrow(
                _FIND,
                slot_of(order.cache_key),
                order.cache_key,
                step.run,
                step.thread,
                step.step,
                step.epoch,
            )
        if row is None:
            return None
        criteria = _SCORES.validate_json(row["criteria"])
        usage = Usage.model_validate(orjson.loads(row["usage"])) if row["usage"] else None
        return given_again(
            step, snapshot, judging, order, criteria, usage, row["conversation"], now()
        )


def given_again(
    step: StepRequested,
    snapshot: Snapshot,
    judging: Judging,
    order: Order,
    criteria: tuple[CriterionScore, ...],
    usage: Usage | None,
    conversation: str,
    at: datetime,
) -> Judged | None:
    """An earlier verdict as this step's own; None where it is not one of this rubric.

    Args:
        step: What was asked for.
        snapshot: What the run froze; its prices say what the call would have cost.
        judging: The rubric.
        order: The request.
        criteria: The earlier scores.
        usage: Tokens of the call that was paid for; None where not known.
        conversation: The conversation that it was a verdict on.
        at: Now, for prices that depend on the hour.
    """
    found = scored(criteria, judging)
    if found is None:
        return None
    chosen = order.chosen(snapshot)
    model = snapshot.backend(chosen.backend).model_named(chosen.model)
    avoided = None
    if usage is not None:
        avoided = cost_micro(model.prices if model else None, usage, at)
    judge = f"{chosen.backend}/{chosen.model}"
    return judged(
        step, judging, found, judge=judge, cached_from=conversation, avoided_micro=avoided
    )
