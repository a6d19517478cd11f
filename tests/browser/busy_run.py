"""A run of many conversations a second, told in frames that the gateway's own code makes and a test sends."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import orjson
from playwright.sync_api import Page, WebSocketRoute

from convo_events.clock import now
from convo_events.snapshots import store_snapshot
from convo_gateway.live.topic import Topic
from convo_gateway.reads.live import run_states
from convo_gateway.shapes.live import State
from tests.browser.showroom import Showroom
from tests.journeys.configs import snapshot

RUN = "run-busy"
TARGET = 100_000
REASONS = (
    ("generation_failed", 0),
    ("stage_direction", 1),
    ("assistant_embodied", 1),
    ("wrong_length", 1),
    ("repeated_turn", 1),
    ("banned_phrase", 1),
    ("near_duplicate", 2),
    ("example_copy", 2),
    ("judge_below_threshold", 3),
)
BEFORE = 80
"""Outcomes before the feed begins."""
COUNTED = ("generated", "accepted", "rejected", "failed")
_REJECTS_KEPT = 10


@dataclass
class Feed:
    """Outcomes, and the frames that told of them."""

    topic: Topic
    outcomes_a_second: int
    outcomes: int = 0
    """Beside those before the feed began."""
    seconds: float = 0.0
    """Until the last of them was told."""
    frames: list[str] = field(default_factory=list)
    sockets: list[WebSocketRoute] = field(default_factory=list)

    def answer(self, socket: WebSocketRoute) -> None:
        """Speak for the gateway to a page."""
        self.sockets.append(socket)
        socket.on_message(lambda said: self._heard(socket, str(said)))

    def _heard(self, socket: WebSocketRoute, said: str) -> None:
        wish = orjson.loads(said)
        if wish["op"] == "subscribe":
            assert wish["topic"] == self.topic.name
            answer = self.topic.answer(wish.get("epoch"), wish.get("after", 0))
            socket.send(answer.model_dump_json())

    def run(self, page: Page, room: Showroom, *, seconds: float, frame_ms: int) -> None:
        """Tell a page of outcomes; where a frame was late, the next one tells of more of them."""
        began = time.monotonic()
        read_at = began
        while (passed := time.monotonic() - began) < seconds:
            page.wait_for_timeout(frame_ms)
            self.outcomes = max(self.outcomes, round(passed * self.outcomes_a_second))
            self.topic.want(state_after(self.topic.state, BEFORE + self.outcomes))
            if delta := self.topic.step():
                self.frames.append(delta.model_dump_json())
                self.sockets[-1].send(self.frames[-1])
            self.seconds = passed
            if time.monotonic() - read_at > 1:
                room.loop.run(_fold(room, self.topic.state))
                read_at = time.monotonic()


def state_after(state: State, outcomes: int) -> State:
    """What the gateway tells of the run after so many outcomes."""
    rejected, failed = outcomes * 2 // 5, outcomes // 20
    accepted = outcomes - rejected - failed
    reasons = {
        name: {
            "layer": layer,
            "precedence": at,
            "count": failed if layer == 0 else (rejected + at) // (len(REASONS) - 1),
        }
        for at, (name, layer) in enumerate(REASONS)
    }
    last = [
        {"id": f"{RUN}.{number % 64}.{number}", "reason": REASONS[1 + number % 8][0], "layer": 1}
        for number in range(rejected, max(0, rejected - _REJECTS_KEPT), -1)
    ]
    changes: dict[str, Any] = {
        "generated": outcomes,
        "accepted": accepted,
        "rejected": rejected,
        "failed": failed,
        "open": TARGET - outcomes,
        "cost_micro": outcomes * 731,
        "rate_per_minute": 3_000 + outcomes % 97 / 10,
        "eta_s": (TARGET - outcomes) / 50,
        "in_flight": 40 + outcomes % 24,
        "seq": 1_000_000 + outcomes * 12,
        "reasons": reasons,
        "last_rejects": last,
    }
    return state | changes


async def make_busy_run(room: Showroom) -> Feed:
    """A running run that has gone on for an hour; nothing but the returned feed moves it."""
    rows = room.read_model
    c = await asyncpg.connect(rows.url)
    try:
        frozen = await store_snapshot(c, snapshot(60, threads=20))
    finally:
        await c.close()
    began = datetime.now(UTC) - timedelta(hours=1)
    counted = state_after({}, BEFORE)
    await rows.run(
        RUN,
        **{name: counted[name] for name in COUNTED},
        name="Busy",
        snapshot=frozen,
        target=TARGET,
        lanes=64,
        started_at=began,
        distinct3_floor=0.3,
    )
    for at in range(60):
        minute = (began + timedelta(minutes=at)).replace(second=0, microsecond=0)
        counts = {"accepted": 1_600 + at, "rejected": 1_200 - at, "failed": 150}
        await rows.insert("run_minute", run=RUN, minute=minute, **counts)
    for role in ("user", "assistant", "judge"):
        await rows.cost(RUN, role)
    for at in range(40):
        await rows.conversation(RUN, at, turns=(f"Question {at} of the day", f"Answer {at}, yes"))
    c = await asyncpg.connect(rows.url)
    try:
        state = (await run_states(c, now(), [RUN]))[RUN]
    finally:
        await c.close()
    return Feed(Topic(f"run:{RUN}", "epoch-of-the-test", 1, state), 60)


async def _fold(room: Showroom, state: State) -> None:
    """Let REST tell the same as the websocket, for the parts of the page that ask again."""
    number = state["generated"]
    assert isinstance(number, int)
    rows = room.read_model
    await rows.set_run(RUN, **{name: state[name] for name in COUNTED})
    await rows.execute(
        "update run_cost set calls = c, cost_micro = c * 300, latency_ms = c * 640 "
        "from (select $1::bigint as c) counted where run = $2",
        state["seq"],
        RUN,
    )
    await rows.conversation(
        RUN,
        100,
        number,
        status="rejected",
        reason="stage_direction",
        layer=1,
        turns=("Hi", "*nods*"),
    )
