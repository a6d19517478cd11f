"""What a stack seldom shows at once: a gateway in front of a read model with runs and conversations of every kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from convo_events.catalog import JudgedCriterion, Judging
from convo_events.ids import outcome_id, step_event_id, verdict_id
from convo_events.snapshot import Snapshot
from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.alike import an_alike_run
from tests.browser.long_list import a_list
from tests.browser.sick_judge import a_run_with_a_sick_judge
from tests.browser.site import Loop
from tests.gateway.read_model import BEGAN, ReadModel
from tests.journeys.configs import snapshot

HOSTILE = (
    "Pay \u202etxt.exe\u202c <b>bold</b> <img src=x onerror=alert(1)> *smiles* \U0001f9d1 *nods*"
)
REASONS = (
    ("generation_failed", 0, 1, 2),
    ("stage_direction", 1, 70, 9),
    ("assistant_embodied", 1, 80, 3),
    ("near_duplicate", 2, 1, 1),
    ("judge_below_threshold", 3, 1, 12),
)
"""Reason, layer, precedence and count; in precedence order."""


LONG = 400
_LONG_TURNS = """
insert into turn (conversation, number, role, body, finish)
select $1, n, case n % 2 when 0 then 'user' else 'assistant' end,
  'Turn ' || n || repeat(' and so on', (n * 37) % 101) || repeat(E'\\nA line.', n % 5), 'stop'
from generate_series(0, $2::int - 1) n
"""


@dataclass
class Showroom:
    """Where it is, and what is in it."""

    url: str
    loop: Loop
    read_model: ReadModel
    finished: str = "run-finished"
    """Completed, with every reason, unknown costs, and distinct-3 under its floor."""
    blocked: str = "run-blocked"
    """Paused by convo because a key was refused."""
    alike: str = "run-alike"
    """Paused because what it accepts is too much the same."""
    sick: str = "run-sick"
    """Paused because its judge is sick."""
    waiting: str = "run-waiting"
    """Queued for the night."""
    duplicate: str = "run-finished.9.0"
    """Rejected as a near-duplicate, with three other hits and a rubric."""
    twin: str = "run-finished.0.0"
    """What it is too near to."""
    long: str = "run-blocked.0.0"
    """A conversation of 400 turns, some short and some long."""


@contextmanager
def a_showroom(infrastructure: Infrastructure) -> Iterator[Showroom]:
    """A gateway with all of it."""
    with a_list(infrastructure, 0) as running:
        room = Showroom(running.url, running.loop, running.read_model)
        running.loop.run(_fill(room))
        yield room


async def _fill(room: Showroom) -> None:
    rows, frozen = room.read_model, _anchored(snapshot(60, threads=20))
    await rows.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    await rows.run(
        room.finished,
        name="Night shift",
        snapshot=frozen.hash(),
        status="completed",
        target=60,
        lanes=20,
        generated=58,
        accepted=33,
        rejected=25,
        failed=2,
        closed=20,
        ended_at=BEGAN + timedelta(minutes=20),
        distinct3_floor=0.99,
    )
    await _conversations(room)
    await _numbers(rows, room.finished)
    await rows.run(
        room.blocked,
        name="No key",
        snapshot=frozen.hash(),
        status="paused",
        reason="backend_auth",
        detail="The backend fake refused the key in FAKE_KEY.",
        accepted=4,
        generated=4,
    )
    await rows.conversation(room.blocked, 0)
    await rows.execute(_LONG_TURNS, room.long, LONG)
    sized = "update conversation set turns = $2::int, planned_turns = $2::int where id = $1"
    await rows.execute(sized, room.long, LONG)
    await an_alike_run(rows, room.alike, frozen)
    await a_run_with_a_sick_judge(rows, room.sick, frozen)
    await rows.run(
        room.waiting,
        name="By night",
        snapshot=frozen.hash(),
        status="queued",
        started_at=None,
        not_before=BEGAN + timedelta(days=36_000),
    )


def _anchored(frozen: Snapshot) -> Snapshot:
    """The same with a rubric that says what a score looks like."""
    asked = JudgedCriterion(
        name="natural", question="Is it?", anchors={2: "Nobody \u202etalks so."}
    )
    judged = {"judge": Judging(criteria=(asked,), threshold=2.5)}
    return frozen.model_copy(update={"config": frozen.config.model_copy(update=judged)})


async def _numbers(rows: ReadModel, run: str) -> None:
    for reason, layer, precedence, n in REASONS:
        await rows.reason(run, reason, layer, precedence, n)
    for at in range(20):
        minute = BEGAN + timedelta(minutes=at)
        counts = {"accepted": 1 + at % 3, "rejected": at % 2, "failed": int(at == 7)}
        await rows.insert("run_minute", run=run, minute=minute, **counts)
    await rows.cost(run, "user", cost_micro=400_000, unknown_calls=2, unknown_micro=61_000)
    await rows.cost(run, "assistant", cost_micro=900_000)
    await rows.cost(run, "judge", model="grader", cost_micro=0, calls=40, unpriced_calls=40)
    await rows.event(run, 1, {"type": "run.planned", "target": 60, "lanes": 20})
    await rows.event(run, 2, {"type": "run.started"})
    await rows.event(run, 3, {"type": "run.kicked", "threads": 20})
    await rows.event(run, 4, {"type": "run.completed"})


async def _conversations(room: Showroom) -> None:
    rows, run = room.read_model, room.finished
    for at in range(4):
        await rows.conversation(run, at, turns=("the same old words", "the same old words"))
    for at in range(4, 9):
        judged: dict[str, Any] = {
            "criteria": [{"name": "natural", "score": 2.0, "why": "It is stiff."}]
        }
        reason: dict[str, Any] = {"reason": "judge_below_threshold", "layer": 3, "score": 2.0}
        turns = ("Hello", "Good day")
        await rows.conversation(run, at, status="rejected", turns=turns, **reason, **judged)
    text = HOSTILE
    await rows.conversation(
        run,
        9,
        status="rejected",
        reason="stage_direction",
        layer=1,
        detail="The assistant acts instead of speaking.",
        hit=_hit("stage_direction", 1, 70, text, "*smiles*"),
        also=[
            _hit("stage_direction", 1, 70, text, "*nods*"),
            _hit("garbled_text", 1, 140, text, "\u202e"),
            {
                "reason": "near_duplicate",
                "layer": 2,
                "precedence": 1,
                "neighbour": room.twin,
                "similarity": 0.8125,
                "excerpt": "the same old words",
                "detail": "Too near to an accepted conversation.",
            },
        ],
        criteria=[{"name": "natural", "score": 1.5, "why": "It \u202eacts."}],
        score=1.5,
        unknown_calls=1,
        turns=("Hi there", text, "Bye", "Good bye"),
    )
    await _calls(rows, run, 9)


def _hit(reason: str, layer: int, precedence: int, text: str, words: str) -> dict[str, Any]:
    start = text.index(words)
    place = {"turn": 1, "start": start, "end": start + len(words)}
    known = {"reason": reason, "layer": layer, "precedence": precedence}
    return known | place | {"excerpt": words, "detail": f"Found {words!r}."}


async def _calls(rows: ReadModel, run: str, thread: int) -> None:
    for step, (role, state, basis) in enumerate(
        (
            ("user", "finished", "exact"),
            ("assistant", "unknown", "worst_case"),
            ("judge", "finished", "unpriced"),
        ),
        1,
    ):
        await rows.call(
            run,
            f"{run}-{step}",
            thread=thread,
            step=step,
            role=role,
            state=state,
            basis=basis,
            cost_micro=None if basis == "unpriced" else 1_200,
            event_id=outcome_id(run, thread, step, 1),
            event='{"event": {"call": {"latency_ms": 640}}}' if state == "finished" else None,
        )
        name = step_event_id(run, thread, step, 1)
        await rows.event(run, 100 + step, {"type": "step.requested", "thread": thread}, name=name)
    name = verdict_id(run, thread, 0)
    await rows.event(run, 110, {"type": "conversation.rejected", "thread": thread}, name=name)
