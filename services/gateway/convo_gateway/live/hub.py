"""All topics of this process: fed by the projector's ticks, read from Postgres, told to every subscriber.

A tick only says which runs changed. It may get lost, so runs that are not final are read again every few seconds too.
"""

import asyncio
import logging
import time
from dataclasses import dataclass, field

import orjson

from convo_events.clock import now
from convo_events.errors import Unavailable
from convo_events.runs import FINAL
from convo_events.telemetry import Metrics
from convo_gateway.connections import Connections
from convo_gateway.live.messages import Gone, Heartbeat, Subscribe
from convo_gateway.live.session import Session
from convo_gateway.live.topic import Topic
from convo_gateway.reads.live import newest_runs, run_states
from convo_gateway.shapes.live import State

log = logging.getLogger(__name__)

PAUSE_S = 0.25
"""Between two deltas of a topic: at most 4 a second."""
LIST_PAUSE_S = 1.0
"""Between two reads of the list of runs."""
REREAD_S = 5.0
"""Runs that are not final are read this often without a tick: ticks get lost, and rates fall by themselves."""
KEPT_S = 120.0
"""A topic without subscribers is kept for so long, for clients that come back."""
CLIENTS = 512
RUNS = "runs"
_COUNTERS = ("generated", "accepted", "rejected", "failed", "cancelled")


@dataclass
class _Watched:
    topic: Topic
    sessions: set[Session] = field(default_factory=set)
    left_at: float = 0.0


class Hub:
    """Topics and who follows them. Only the event loop touches it."""

    def __init__(self, connections: Connections, *, epoch: str, metrics: Metrics) -> None:
        """Take the way to Postgres, and the name of this process's life."""
        self.epoch = epoch
        self._connections = connections
        self._metrics = metrics
        self._watched: dict[str, _Watched] = {}
        self._dirty: set[str] = set()
        self._list_dirty = False
        self._list_read_at = self._reread_at = 0.0
        self._floor = 0
        self._wake = asyncio.Event()
        self._opening = asyncio.Lock()
        self.clients = 0

    async def on_tick(self, body: bytes) -> None:
        """Note which runs changed; a tick that cannot be read is dropped."""
        try:
            tick = orjson.loads(body)
            changed = {str(run) for run in tick["runs"]}
        except (orjson.JSONDecodeError, KeyError, TypeError):
            log.warning("unreadable tick", extra={"action": "tick"})
            return
        self._dirty |= {run for run in changed if f"run:{run}" in self._watched}
        self._list_dirty |= RUNS in self._watched and bool(changed)
        if self._dirty or self._list_dirty:
            self._wake.set()

    async def run(self) -> None:
        """Tell subscribers what changes, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(REREAD_S / 5):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            try:
                await self._read()
            except Unavailable as error:
                log.warning("live read", extra={"action": "live", "error": str(error)})
                self._dirty |= set(self._live_runs())
            self._tell()
            self._forget()
            await asyncio.sleep(PAUSE_S)

    def enter(self) -> bool:
        """Count a client in; False where there are too many."""
        if self.clients >= CLIENTS:
            return False
        self.clients += 1
        self._metrics.ws_clients.set(self.clients)
        return True

    def leave(self, session: Session) -> None:
        """Count a client out, with everything that it follows."""
        for name in tuple(session.topics):
            self.unsubscribe(session, name)
        self.clients -= 1
        self._metrics.ws_clients.set(self.clients)

    async def subscribe(self, session: Session, wish: Subscribe) -> None:
        """Queue one of the three answers, and every delta from then on.

        Raises:
            Unavailable: while Postgres is away and the topic has not been read yet.
        """
        watched = await self._open(wish.topic)
        # Nothing is awaited from here on: no delta can slip in between the answer and the subscription.
        if watched is None:
            session.answer(Gone(topic=wish.topic).model_dump_json().encode())
            return
        answer = watched.topic.answer(wish.epoch, wish.after)
        session.answer(answer.model_dump_json().encode())
        watched.sessions.add(session)
        session.topics.add(wish.topic)

    def unsubscribe(self, session: Session, name: str) -> None:
        """Tell a client no more about a topic."""
        session.topics.discard(name)
        watched = self._watched.get(name)
        if watched is not None:
            watched.sessions.discard(session)
            watched.left_at = time.monotonic()

    def heartbeat(self, session: Session) -> bytes:
        """Where the topics of a client are."""
        seqs = {name: self._watched[name].topic.seq for name in sorted(session.topics)}
        return Heartbeat(epoch=self.epoch, topics=seqs).model_dump_json().encode()

    async def _open(self, name: str) -> _Watched | None:
        async with self._opening:
            if name not in self._watched:
                state = await self._load(name)
                if state is None:
                    return None
                self._floor += 1
                topic = Topic(name, self.epoch, self._floor, state)
                self._watched[name] = _Watched(topic, left_at=time.monotonic())
            return self._watched[name]

    async def _load(self, name: str) -> State | None:
        async with self._connections.reading() as c:
            if name == RUNS:
                return await newest_runs(c, now())
            run = name.removeprefix("run:")
            return (await run_states(c, now(), [run])).get(run)

    def _live_runs(self) -> list[str]:
        """Runs that are followed and not final."""
        return [
            name.removeprefix("run:")
            for name, watched in self._watched.items()
            if name != RUNS and watched.topic.wanted.get("status") not in FINAL
        ]

    async def _read(self) -> None:
        """Read what may have changed; one transaction for all of it."""
        moment = time.monotonic()
        if moment - self._reread_at >= REREAD_S:
            self._dirty |= set(self._live_runs())
            self._list_dirty |= RUNS in self._watched
            self._reread_at = moment
        list_due = self._list_dirty and moment - self._list_read_at >= LIST_PAUSE_S
        if not self._dirty and not list_due:
            return
        runs, self._dirty = sorted(self._dirty), set()
        async with self._connections.reading() as c:
            states = await run_states(c, now(), runs) if runs else {}
            listed = await newest_runs(c, now()) if list_due else None
        for run, state in states.items():
            self._want(f"run:{run}", state)
        if listed is not None:
            self._list_dirty, self._list_read_at = False, moment
            self._want(RUNS, listed)

    def _want(self, name: str, state: State) -> None:
        watched = self._watched.get(name)
        if watched is None:
            return
        before = watched.topic.wanted
        if name == RUNS:
            state = {"runs": _forward_only(before.get("runs"), state["runs"])}
        elif _goes_back(before, state):
            return
        watched.topic.want(state)

    def _tell(self) -> None:
        for watched in self._watched.values():
            delta = watched.topic.step()
            if delta is None:
                continue
            message = delta.model_dump_json().encode()
            for session in tuple(watched.sessions):
                if not session.tell(message):
                    for followed in tuple(session.topics):
                        self.unsubscribe(session, followed)
            if watched.topic.behind:
                self._wake.set()

    def _forget(self) -> None:
        """Drop topics that nobody has followed for a while; their sequences are never used again."""
        moment = time.monotonic()
        for name, watched in tuple(self._watched.items()):
            if not watched.sessions and moment - watched.left_at > KEPT_S:
                self._floor = max(self._floor, watched.topic.seq)
                del self._watched[name]


def _goes_back(before: State, after: State) -> bool:
    """Whether a counter would fall, as while the read model is being rebuilt."""
    return any(_count(after, name) < _count(before, name) for name in _COUNTERS)


def _count(state: State, name: str) -> int:
    value = state.get(name, 0)
    return value if isinstance(value, int) else 0


def _forward_only(before: object, after: object) -> State:
    """Runs by id, each as it was where a counter would fall."""
    old = before if isinstance(before, dict) else {}
    new = after if isinstance(after, dict) else {}
    return {
        run: old[run] if run in old and _goes_back(old[run], state) else state
        for run, state in new.items()
    }
