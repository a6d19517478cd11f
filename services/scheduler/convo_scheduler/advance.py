"""Move a run on: decide each thread that is due, settle candidates, open threads, end the run when it is through."""

import logging
from dataclasses import dataclass, field, replace
from datetime import timedelta

from convo_events import ids
from convo_events.clock import now
from convo_events.errors import NotFound
from convo_events.judge_health import Answers
from convo_events.log import Letter
from convo_events.service import Parts
from convo_events.snapshot import Snapshot
from convo_events.snapshots import Snapshots
from convo_events.steps import ConversationAccepted, StepRequested
from convo_events.store import outage_named
from convo_events.threads import ThreadState
from convo_events.traces import conversation_trace
from convo_models.reaper import in_flight
from convo_scheduler import rows
from convo_scheduler.commands import Commands
from convo_scheduler.floor import under_the_floor
from convo_scheduler.judge_watch import in_doubt, limits_of, sick_judge
from convo_scheduler.pacing import threads_to_open, window
from convo_scheduler.run import Abandon, Begin, Block, Closed, Control, Finish
from convo_scheduler.settling import Settling
from convo_scheduler.thread import (
    Candidate,
    Setting,
    ThreadEvent,
    accept,
    decide,
    loses_its_judge,
    open_thread,
    reject_near,
)

log = logging.getLogger(__name__)

MOST_DUE = 1_000
"""Threads decided in one go."""
MOST_LETTERS = 400
CANCEL_PATIENCE_S = 5.0
"""How long a cancel waits for its calls to close before it is final; what closes later is booked as late."""
STALLED_AFTER_S = 120.0


@dataclass(slots=True)
class _Run:
    """What this process remembers of a live run between two looks."""

    sent: dict[int, int] = field(default_factory=dict)
    """Thread to the position of its last event that we sent; older rows are not decided again."""
    opened: int = 0
    cancelling_since: float | None = None


class Advance:
    """Decides for live runs. One instance, in the process that leads."""

    def __init__(self, parts: Parts, commands: Commands) -> None:
        """Take the parts."""
        self._parts = parts
        self._commands = commands
        self._snapshots = Snapshots(parts.pool)
        self._settling = Settling(parts.pool)
        self._runs: dict[str, _Run] = {}

    def forget_all(self) -> None:
        """Start with an empty memory, as a new leader does."""
        self._runs.clear()
        self._settling = Settling(self._parts.pool)

    async def run(self, control: Control, live_runs: int, clock_s: float) -> bool:
        """One look at a run; True when more can be decided at once.

        Raises:
            Unavailable: when a part is away; the next look does it again.
        """
        async with self._commands.lock(control.run):
            async with outage_named(), self._parts.pool.acquire() as c:
                fresh = await rows.control_of(c, control.run)
            if fresh is None:
                return False
            match fresh.status:
                case "queued":
                    if fresh.not_before is None or fresh.not_before <= now():
                        await self._commands.tell(fresh.run, Begin())
                case "cancelling":
                    await self._cancel(fresh, clock_s)
                case "running":
                    return await self._move(fresh, live_runs)
                case _:
                    self._forget(fresh.run)
        return False

    async def _cancel(self, control: Control, clock_s: float) -> None:
        known = self._runs.setdefault(control.run, _Run())
        if known.cancelling_since is None:
            known.cancelling_since = clock_s
        async with outage_named(), self._parts.pool.acquire() as c:
            calls = await in_flight(c, control.run)
        if calls == 0 or clock_s - known.cancelling_since > CANCEL_PATIENCE_S:
            await self._commands.tell(control.run, Closed())
            self._forget(control.run)
        else:
            await self._commands.broadcast(control)

    async def _move(self, control: Control, live_runs: int) -> bool:
        async with outage_named():
            progress = await rows.progress_of(self._parts.pool, control.run)
        if progress is None or progress.epoch != control.epoch:
            # The last command is not folded yet: what is read here is older than what is known.
            return False
        if progress.blocked_reason:
            await self._commands.tell(
                control.run, Block(progress.blocked_reason, progress.blocked_detail)
            )
            return False
        if progress.settled >= control.target:
            await self._commands.tell(control.run, Finish())
            self._forget(control.run)
            return False
        try:
            snapshot = await self._snapshots.get(control.snapshot)
        except NotFound as error:
            await self._commands.tell(control.run, Abandon("snapshot_missing", str(error)))
            return False
        due = await self._due(control)
        judges = await self._judges(control, snapshot)
        stop = under_the_floor(snapshot.config.diversity, progress.lately)
        stop = stop or sick_judge(limits_of(snapshot), judges)
        if stop is not None:
            await self._commands.tell(control.run, stop)
            return False
        setting = Setting(snapshot, control.snapshot, self._commands.leader, control.epoch)
        size = window(snapshot, self._parts.settings.window_steps, live_runs)
        doubt = in_doubt(limits_of(snapshot), judges)
        if doubt and self._others_can_tell(control, progress, due, setting, size):
            setting = replace(setting, doubt=True)
        more = await self._decide_due(control, due, setting)
        await self._open(control, progress, setting, size)
        return more

    async def _due(self, control: Control) -> rows.Due:
        """Threads to decide on. What was remembered of decisions that are folded by now is forgotten."""
        known = self._runs.setdefault(control.run, _Run())
        async with outage_named():
            due = await rows.due_threads(
                self._parts.pool, control.run, control.epoch, now(), MOST_DUE
            )
        known.sent = {t: seq for t, seq in known.sent.items() if seq > due.position}
        self._settling.folded(due.position)
        return due

    async def _judges(self, control: Control, snapshot: Snapshot) -> list[Answers]:
        """What judges answered lately, read after what is due: no failure is decided on before it is counted."""
        if limits_of(snapshot) is None:
            return []
        async with outage_named():
            return await rows.judges_of(self._parts.pool, control.run)

    def _others_can_tell(
        self, control: Control, progress: rows.Progress, due: rows.Due, setting: Setting, size: int
    ) -> bool:
        """Whether threads that did not fail at a judge can still say more of it; else nothing is waited for."""
        known = self._runs[control.run]
        fresh = [state for state in due.threads if state.thread not in known.sent]
        stuck = sum(loses_its_judge(state, setting) for state in fresh)
        opened = max(known.opened, progress.opened)
        room = threads_to_open(control.lanes, opened, progress.closed, size)
        return stuck < opened - progress.closed or bool(room)

    async def _decide_due(self, control: Control, due: rows.Due, setting: Setting) -> bool:
        known = self._runs[control.run]
        threads = [state for state in due.threads if state.thread not in known.sent]
        candidates: list[ThreadState] = []
        plain: list[tuple[ThreadState, list[ThreadEvent]]] = []
        for state in threads:
            decision = decide(state, setting)
            if isinstance(decision, Candidate):
                candidates.append(decision.state)
            elif decision:
                plain.append((state, decision))
        async with self._settling.turn:
            plain += await self._settle(candidates, setting)
            await self._send(control.run, plain, setting.snapshot)
        # Where all were decided before, the fold has to come first: its tick wakes this again.
        return bool(threads) and len(due.threads) >= MOST_DUE

    async def _settle(
        self, candidates: list[ThreadState], setting: Setting
    ) -> list[tuple[ThreadState, list[ThreadEvent]]]:
        if not candidates:
            return []
        async with outage_named():
            near = await self._settling.neighbours(
                candidates, setting.snapshot, setting.snapshot_hash
            )
        settled: list[tuple[ThreadState, list[ThreadEvent]]] = []
        for state in candidates:
            found = near.get(ids.conversation_id(state.run, state.thread, state.conversation))
            if found is None:
                settled.append((state, accept(state, setting)))
            else:
                settled.append((state, reject_near(state, found, setting)))
        return settled

    async def _send(
        self,
        run: str,
        decided: list[tuple[ThreadState, list[ThreadEvent]]],
        snapshot: Snapshot,
    ) -> None:
        """Append decisions in batches that keep the events of a thread together."""
        known = self._runs[run]
        batch: list[Letter] = []
        held: list[tuple[ThreadState, list[ThreadEvent]]] = []
        for number, (state, events) in enumerate(decided, start=1):
            batch.extend(self.letter(event) for event in events)
            held.append((state, events))
            if len(batch) >= MOST_LETTERS or number == len(decided):
                seq = await self._parts.publisher.append(batch)
                for sent_state, sent_events in held:
                    known.sent[sent_state.thread] = seq
                    if sent_events and isinstance(sent_events[0], ConversationAccepted):
                        self._settling.accepted(sent_state, snapshot, seq)
                batch, held = [], []

    async def _open(
        self, control: Control, progress: rows.Progress, setting: Setting, size: int
    ) -> None:
        known = self._runs[control.run]
        known.opened = max(known.opened, progress.opened)
        numbers = threads_to_open(control.lanes, known.opened, progress.closed, size)
        for start in range(0, len(numbers), MOST_LETTERS):
            part = numbers[start : start + MOST_LETTERS]
            letters = [self.letter(open_thread(control.run, thread, setting)) for thread in part]
            seq = await self._parts.publisher.append(letters)
            known.sent.update(dict.fromkeys(part, seq))
            known.opened = part[-1] + 1

    async def send_stalled(self, control: Control) -> None:
        """Ask again for steps that nobody holds and nothing is heard of: a message that was lost on its way."""
        async with self._commands.lock(control.run):
            async with outage_named(), self._parts.pool.acquire() as c:
                fresh = await rows.control_of(c, control.run)
                before = now() - timedelta(seconds=STALLED_AFTER_S)
                stalled = await rows.stalled_threads(
                    self._parts.pool, control.run, before, MOST_DUE
                )
            known = self._runs.setdefault(control.run, _Run())
            threads = [state for state in stalled if state.thread not in known.sent]
            if fresh is None or fresh.status != "running" or not threads:
                return
            log.warning("steps asked for again", extra={"action": "stalled", "steps": len(threads)})
            snapshot = await self._snapshots.get(fresh.snapshot)
            setting = Setting(snapshot, fresh.snapshot, self._commands.leader, fresh.epoch)
            again = [(state, decide(state, setting)) for state in threads]
            await self._send(
                control.run, [(s, d) for s, d in again if isinstance(d, list)], snapshot
            )

    def letter(self, event: ThreadEvent) -> Letter:
        """A decision in its envelope, under the trace of its conversation."""
        trace = conversation_trace(ids.conversation_id(event.run, event.thread, event.conversation))
        if isinstance(event, StepRequested):
            event_id = ids.step_event_id(event.run, event.thread, event.step, event.emit)
        else:
            event_id = ids.verdict_id(event.run, event.thread, event.conversation)
        return self._parts.letter(event_id, event, trace=trace)

    def _forget(self, run: str) -> None:
        self._runs.pop(run, None)
