"""Verdicts that serve later requests: only the very same request, only what was scored, never a repeat."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from convo_events.catalog import RoleModel
from convo_events.conversations import Turn
from convo_events.outcomes import CriterionScore, Judged, StepFailed
from convo_events.plan import draw
from convo_events.snapshot import Snapshot
from convo_events.steps import Purpose, StepRequested
from convo_events.store import Pool
from convo_events.usage import Call, Usage
from convo_events.verdict_cache import SLOTS, slot_of
from convo_gateway.stack.infrastructure import Infrastructure
from convo_judge.earlier import EarlierVerdicts
from convo_judge.handlers import Judging as Craft
from convo_models.paid_work import Order
from convo_models.past import Past
from convo_projector.projections import cost, verdict_cache
from convo_projector.stamp import Stamp
from tests.databases import migrated
from tests.journeys.configs import snapshot

FROZEN = snapshot(4, threads=2, judging={"cache": True})
TURNS = (Turn(role="user", text="Hi"), Turn(role="assistant", text="Hello"))
USAGE = Usage(input_tokens=100, output_tokens=50)
CALL = Call(
    role="judge",
    backend="fake",
    model="judge",
    attempt=1,
    step_key="k",
    basis="exact",
    cost_micro=600,
    usage=USAGE,
)
AT = datetime(2026, 3, 1, tzinfo=UTC)
STAMP = Stamp(7, AT, late=False)


def step(purpose: Purpose = "verdict", sample: int = 0, run: str = "run-b") -> StepRequested:
    return StepRequested(
        run=run,
        thread=0,
        conversation=0,
        leader=1,
        epoch=3,
        step=4,
        kind="judge",
        turn=2,
        emit=1,
        snapshot="s",
        purpose=purpose,
        sample=sample,
    )


def order(
    asked: StepRequested | None = None, frozen: Snapshot = FROZEN, turns: tuple[Turn, ...] = TURNS
) -> Order:
    found = Craft().order(asked or step(), frozen, draw(frozen, 0, 0), Past(turns))
    assert isinstance(found, Order)
    return found


def with_judge(**changes: object) -> Snapshot:
    """The same run with another judge."""
    roles = FROZEN.config.roles
    assert roles.judge is not None
    judge = RoleModel.model_validate({**roles.judge.model_dump(), **changes})
    config = FROZEN.config.model_copy(update={"roles": roles.model_copy(update={"judge": judge})})
    return FROZEN.model_copy(update={"config": config})


def verdict(**changes: object) -> Judged:
    known = {"score": 4, "scale_min": 1, "scale_max": 5, "threshold": 2.5, "judge": "fake/judge"}
    criteria = (CriterionScore(name="natural", score=4, why="Reads well."),)
    request = {"request": order().cache_key, "call": CALL}
    return Judged.of(step(run="run-a"), **{**known, "criteria": criteria, **request, **changes})


def test_the_same_request_of_another_run_has_the_same_key() -> None:
    assert order().cache_key == order(step(run="run-c")).cache_key != ""
    later = step().model_copy(update={"step": 9})
    assert order(later).cache_key == order().cache_key, "whatever was tried before in its thread"
    retried = step().model_copy(update={"retry": 1})
    assert order(retried).request.seed != order().request.seed, "a new try is another question"
    assert 0 <= slot_of(order().cache_key) < SLOTS


@pytest.mark.parametrize(
    "other",
    [
        order(frozen=with_judge(temperature=0.7)),
        order(frozen=with_judge(top_p=0.5)),
        order(frozen=with_judge(model="writer")),
        order(frozen=with_judge(max_tokens=201)),
        order(frozen=with_judge(send_seed=False)),
        order(turns=(*TURNS[:1], Turn(role="assistant", text="Hello!"))),
    ],
)
def test_P03_another_parameter_model_or_text_has_another_key(other: Order) -> None:
    assert other.cache_key not in ("", order().cache_key)


def test_P02_a_repeat_has_no_key_and_nor_has_anything_where_the_cache_is_off() -> None:
    assert order(step(sample=1)).cache_key == ""
    assert order(step("recheck")).cache_key == ""
    assert order(frozen=snapshot(4, threads=2)).cache_key == ""


def test_only_verdicts_that_were_paid_for_and_agree_with_themselves_are_kept() -> None:
    kept = verdict_cache.evolve(None, verdict(), STAMP)
    assert kept is not None
    assert (kept.conversation, kept.step, kept.request) == ("run-a.0.0", 4, order().cache_key)
    for changes in (
        {"cached_from": "run-z.0.0", "call": None},
        {"note": "the judge also said pass: False"},
        {"sample": 1},
        {"purpose": "recheck"},
        {"request": ""},
    ):
        assert verdict_cache.key(verdict(**changes), STAMP) is None


def test_J11_what_is_no_verdict_is_never_kept() -> None:
    refused = StepFailed.of(
        step(), reason="judge_failed", detail="refused", retryable=False, call=CALL, state="refused"
    )
    assert verdict_cache.key(refused, STAMP) is None


def test_a_place_holds_the_newest_verdict_and_the_cache_never_grows() -> None:
    first = verdict_cache.evolve(None, verdict(), STAMP)
    assert first is not None
    other = f"{first.request[:8]}{'0' * 56}"
    newer = verdict_cache.evolve(first, verdict(request=other), Stamp(8, AT, late=False))
    assert newer is not None
    assert (newer.slot, newer.request, newer.seq) == (first.slot, other, 8)
    assert verdict_cache.evolve(newer, verdict(), Stamp(9, AT, late=True)) == newer


def test_C07_a_hit_costs_nothing_and_what_it_avoided_stands_beside() -> None:
    hit = verdict(cached_from="run-a.0.0", call=None, avoided_micro=600, request="")
    row = cost.evolve(None, hit, STAMP)
    assert row is not None
    assert (row.calls, row.cost_micro, row.unknown_micro) == (0, 0, 0)
    assert (row.cached_verdicts, row.avoided_micro, row.avoided_unpriced) == (1, 600, 0)
    unknown = cost.evolve(row, hit.model_copy(update={"avoided_micro": None}), STAMP)
    assert unknown is not None
    assert (unknown.cached_verdicts, unknown.avoided_micro, unknown.avoided_unpriced) == (2, 600, 1)
    assert cost.key(hit, STAMP) == ("run-a", "judge", "fake", "judge")


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    """A database with the one verdict of run-a, and run-b that is running."""
    async with migrated(infrastructure) as pool:
        kept = verdict_cache.evolve(None, verdict(), STAMP)
        assert kept is not None
        await pool.execute(
            "insert into judge_cache (slot, request, conversation, step, usage, seq)"
            " values ($1, $2, $3, $4, $5, 7)",
            kept.slot,
            kept.request,
            kept.conversation,
            kept.step,
            USAGE.model_dump_json(),
        )
        await pool.execute(
            "insert into judgement (conversation, step, run, purpose, seat, sample, judge, state, score, better,"
            " criteria, why, reason, detail, note, cached_from, at, seq) values ('run-a.0.0', 4, 'run-a', 'verdict',"
            " 0, 0, 'fake/judge', 'scored', 4, '', $1, '', '', '', '', '', now(), 7)",
            '[{"name": "natural", "score": 4.0, "why": "Reads well."}]',
        )
        await pool.execute(
            "insert into run_control (run, status, epoch, snapshot, target, lanes)"
            " values ('run-b', 'running', 3, 's', 4, 2)"
        )
        yield pool


@pytest.mark.anyio
@pytest.mark.connected
async def test_an_earlier_verdict_is_given_again_and_only_where_nothing_speaks_against_it(
    pool: Pool,
) -> None:
    earlier = EarlierVerdicts(pool)
    found = await earlier.find(step(), FROZEN, order())
    assert found is not None
    assert (found.run, found.step, found.score, found.threshold) == ("run-b", 4, 4, 2.5)
    assert (found.cached_from, found.call, found.avoided_micro) == ("run-a.0.0", None, 600)
    assert (found.criteria[0].why, found.request) == ("Reads well.", "")
    for change, undo in AGAINST.items():
        await pool.execute(change)
        assert await earlier.find(step(), FROZEN, order()) is None, change
        await pool.execute(undo)
    assert await earlier.find(step(), FROZEN, order()) == found


GOOD = '[{"name": "natural", "score": 4.0, "why": "Reads well."}]'
AGAINST = {
    "update run_control set status = 'paused'": "update run_control set status = 'running'",
    "update run_control set epoch = 4": "update run_control set epoch = 3",
    "update judge_cache set request = reverse(request)": "update judge_cache set request = reverse(request)",
    "update judgement set state = 'asked'": "update judgement set state = 'scored'",
    """update judgement set criteria = '[{"name": "natural", "score": 9.0}]'""": (
        f"update judgement set criteria = '{GOOD}'"
    ),
    """update judgement set criteria = '[{"name": "other", "score": 4.0}]'""": (
        f"update judgement set criteria = '{GOOD}'"
    ),
    "insert into model_call (step_key, run, thread, step, state, attempts, emit, owner, lease_until)"
    " values ('k', 'run-b', 0, 4, 'started', 1, 1, 'w', now())": "delete from model_call",
}
"""Paused; asked under an older epoch; another request; not scored; off the scale; another rubric; a call was begun."""
