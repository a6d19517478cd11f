"""Histories of a run: the real deciders, and workers, duplicates and people that do as chance says.

The log that comes out is what services append, in an order that can happen; nothing here is folded by the projector.
"""

import random
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta

from convo_events import ids
from convo_events.codec import Event
from convo_events.commands import ControlRun, StartRun
from convo_events.conversations import Hit, Turn
from convo_events.envelope import Envelope
from convo_events.errors import Refused
from convo_events.outcomes import (
    CallAborted,
    CallLost,
    Compared,
    Filtered,
    Generated,
    Judged,
    Kept,
    Remembered,
    Rewritten,
    Roughened,
    StepBlocked,
    StepDeferred,
    StepFact,
    StepFailed,
)
from convo_events.runs import RunFact
from convo_events.snapshot import Snapshot
from convo_events.steps import StepRequested, Verdict
from convo_events.threads import ThreadState, applies, evolve
from convo_events.usage import Call, CallRole, Usage
from convo_scheduler import run as life
from convo_scheduler.thread import Candidate, Setting, accept, decide, open_thread, reject_near

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HIT = Hit(reason="stage_direction", layer=1, precedence=7, detail="a stage direction")
ALSO = Hit(reason="truncated", layer=1, precedence=9)
NEAR = Hit(reason="near_duplicate", layer=2, precedence=1, neighbour="run-h.0.0", similarity=0.9)


def envelope(event_id: str, number: int) -> Envelope:
    """An envelope, a second later with each number."""
    at = (START + timedelta(seconds=number)).isoformat().replace("+00:00", "Z")
    return Envelope(event_id, at, "test-1")


@dataclass
class History:
    """A run under way."""

    snapshot: Snapshot
    rng: random.Random
    run: str = "run-h"
    leader: int = 1
    log: list[tuple[str, Event]] = field(default_factory=list)
    threads: dict[int, ThreadState] = field(default_factory=dict)
    control: life.Control | None = None
    counted: set[str] = field(default_factory=set)
    attempts: dict[tuple[int, int], int] = field(default_factory=dict)

    def start(self, cap_micro: int | None = None) -> None:
        """Plan and begin the run."""
        config = self.snapshot.config
        command = StartRun(
            run=self.run,
            name="History",
            config=config.name,
            config_version=1,
            mode=config.mode,
            snapshot=self.snapshot.hash(),
            target=config.target_count,
            seed=config.seed,
            lanes=self.snapshot.lanes,
            estimate_micro=None,
            expected_accepted=None,
            spend_cap_micro=cap_micro,
            language=config.language,
        )
        for event in life.start(command, self.control, START):
            self.live(event)

    @property
    def setting(self) -> Setting:
        """What the scheduler decides on now."""
        assert self.control is not None
        return Setting(self.snapshot, self.control.snapshot, self.leader, self.control.epoch)

    @property
    def ended(self) -> bool:
        """Whether the run is through."""
        return self.control is not None and self.control.status in ("completed", "cancelled")

    def live(self, event: life.LifeEvent) -> None:
        """Append a fact of the run's life."""
        self.control = life.evolve(self.control, event)
        what = event.type.removeprefix("run.")
        self.append(ids.control_id(event.run, event.epoch, what), event)

    def append(self, event_id: str, event: Event) -> None:
        """Put an event into the log, and see whether it counts."""
        self.log.append((event_id, event))
        if isinstance(event, RunFact) or event_id in self.counted or self.ended:
            return
        thread = event.thread  # type: ignore[union-attr]  # all others are facts of a thread
        state = self.threads.get(thread)
        if applies(state, event):
            self.counted.add(event_id)
            self.threads[thread] = evolve(state, event)

    def move(self) -> None:
        """Let one thing happen."""
        assert self.control is not None
        moves = [self.work, self.work, self.decide, self.decide, self.open, self.repeat]
        if self.rng.random() < 0.05:
            moves = [self.person]
        self.rng.choice(moves)()

    def finish(self) -> None:
        """Let only good things happen until the run is through."""
        while not self.ended:
            assert self.control is not None
            if self.control.status == "paused":
                self.tell("resume")
            self.open()
            self.decide()
            self.work(faults=False)
            closed = [s for s in self.threads.values() if s.phase == "closed"]
            if len(closed) == self.snapshot.lanes:
                for event in life.decide_own(life.Finish(), self.control):
                    self.live(event)

    def tell(self, action: str) -> None:
        """Give a command of a person, if the status allows it."""
        command = ControlRun.model_validate({"run": self.run, "action": action})
        waiting = sum(state.phase == "waiting" for state in self.threads.values())
        try:
            events = life.decide(command, self.control, waiting)
        except Refused:
            return
        for event in events:
            self.live(event)

    def person(self) -> None:
        """Pause, resume or kick."""
        self.tell(self.rng.choice(["pause", "resume", "kick"]))

    def cancel(self) -> None:
        """Cancel, and close."""
        assert self.control is not None
        self.tell("cancel")
        for event in life.decide_own(life.Closed(), self.control):
            self.live(event)

    def open(self) -> None:
        """Open a thread that is not open."""
        left = sorted(set(range(self.snapshot.lanes)) - set(self.threads))
        if left and self._running:
            self.request(open_thread(self.run, left[0], self.setting))

    def decide(self) -> None:
        """Decide for a thread that is due, or that waits under an older epoch."""
        assert self.control is not None
        due = [
            state
            for state in self.threads.values()
            if state.phase == "due"
            or (state.phase == "waiting" and state.epoch < self.control.epoch)
        ]
        if not due or not self._running:
            return
        state = self.rng.choice(due)
        decision = decide(state, self.setting)
        if isinstance(decision, Candidate):
            near, passed = self.rng.random() < 0.2, decision.state
            decision = (
                reject_near(passed, NEAR, self.setting) if near else accept(passed, self.setting)
            )
        for event in decision:
            if isinstance(event, StepRequested):
                self.request(event)
            else:
                self.append(ids.verdict_id(event.run, event.thread, event.conversation), event)

    def request(self, event: StepRequested) -> None:
        """Append a request."""
        self.append(ids.step_event_id(event.run, event.thread, event.step, event.emit), event)

    def repeat(self) -> None:
        """Something old comes once more, such as an outcome whose confirmation was lost."""
        thread_facts = [item for item in self.log if not isinstance(item[1], RunFact)]
        if thread_facts:
            self.append(*self.rng.choice(thread_facts))

    def work(self, *, faults: bool = True) -> None:
        """A worker comes back with something."""
        waiting = [state for state in self.threads.values() if state.phase == "waiting"]
        if waiting:
            state = self.rng.choice(waiting)
            self.append(*self.outcome(state, faults=faults))

    def outcome(self, state: ThreadState, *, faults: bool) -> tuple[str, Event]:
        """What a step comes back with."""
        paid = state.kind != "filter"
        key = (state.thread, state.step)
        attempt = self.attempts.get(key, 0) + 1 if paid else 0
        self.attempts[key] = attempt
        event = self._fault(state, attempt) if faults and self.rng.random() < 0.4 else None
        event = event or self._good(state, attempt)
        if isinstance(event, CallLost | CallAborted):
            what = "lost" if isinstance(event, CallLost) else "aborted"
            return ids.call_event_id(event.call.step_key, attempt, what), event
        return ids.outcome_id(state.run, state.thread, state.step, attempt), event

    def _good(self, state: ThreadState, attempt: int) -> StepFact:
        known = _place(state)
        match state.kind:
            case "generate":
                role = "user" if state.turns % 2 == 0 else "assistant"
                turn = Turn.model_validate({"role": role, "text": f"turn {state.turns}"})
                return Generated(
                    **known,
                    turns=(turn,),
                    first_turn=state.turns,
                    finish="stop",
                    call=_paid(state, attempt),
                )
            case "filter":
                hits = (HIT, ALSO)[: self.rng.choice([0, 0, 0, 1, 2])]
                return Filtered(**known, hits=hits, signature="AAAAAQ==", words=5)
            case "roughen":
                return Roughened(
                    **known,
                    rewritten=(Rewritten(turn=0, text="Turn 0"),),
                    kept=(Kept(turn=2, why="nothing was changed"),),
                    call=_paid(state, attempt),
                )
            case "memory":
                memory = f"memory of {state.thread}.{state.conversation}"
                return Remembered(**known, memory=memory, call=_paid(state, attempt))
            case "judge" if state.piece.purpose == "comparison":
                return Compared(
                    **known,
                    reference="greeting",
                    swapped=state.piece.sample == 1,
                    better=self.rng.choice(["candidate", "reference"]),
                    judge="fake/judge",
                    call=_paid(state, attempt),
                )
            case "judge":
                return Judged(
                    **known,
                    **asdict(state.piece),
                    score=self.rng.choice([1.0, 2.5, 4.0]),
                    scale_min=1,
                    scale_max=5,
                    threshold=2.5,
                    criteria=(),
                    call=_paid(state, attempt),
                )

    def _fault(self, state: ThreadState, attempt: int) -> StepFact | None:
        known = _place(state)
        if state.kind == "filter":
            return StepFailed(**known, reason="pipeline_failed", detail="", retryable=False)
        unknown = _paid(state, attempt).model_copy(
            update={"usage": None, "basis": "worst_case", "cost_micro": 900, "error": "lost"}
        )
        reason = "judge_unparsed" if state.kind == "judge" else "malformed_output"
        faults: list[StepFact] = [
            StepFailed(
                **known,
                reason=reason,
                detail="no JSON",
                retryable=self.rng.random() < 0.8,
                call=_paid(state, attempt),
            ),
            StepDeferred(
                **known,
                not_before=START,
                reason="rate_limited",
                counts=self.rng.random() < 0.5,
                call=unknown.model_copy(
                    update={"basis": "free", "cost_micro": 0, "error": "rate_limited"}
                ),
            ),
            CallLost(**known, call=unknown),
            CallAborted(**known, call=unknown.model_copy(update={"error": "aborted"})),
            StepBlocked(**known, reason="backend_quota", detail="top up"),
        ]
        return self.rng.choice(faults)

    @property
    def _running(self) -> bool:
        return self.control is not None and self.control.status == "running"


def _place(state: ThreadState) -> dict[str, object]:
    return {
        "run": state.run,
        "thread": state.thread,
        "conversation": state.conversation,
        "step": state.step,
    }


def _paid(state: ThreadState, attempt: int) -> Call:
    roles: dict[str, CallRole] = {"judge": "judge", "roughen": "roughen", "memory": "memory"}
    return Call(
        role=roles.get(state.kind, "assistant"),
        backend="fake",
        model="writer",
        attempt=attempt,
        step_key=f"k{state.thread}-{state.step}",
        usage=Usage(input_tokens=100, cached_tokens=10, output_tokens=20, reasoning_tokens=4),
        cost_micro=330,
        basis="exact",
        latency_ms=12,
    )


def history(
    snapshot: Snapshot, seed: int, moves: int, *, run: str = "run-h", cancel: bool = False
) -> History:
    """A whole run with so many things of chance in it, to its end."""
    found = History(snapshot, random.Random(seed), run)
    found.start()
    for _ in range(moves):
        found.move()
    if cancel:
        found.cancel()
        for _ in range(20):
            found.repeat()
    else:
        found.finish()
    return found


def verdicts(found: History) -> list[Verdict]:
    """The verdicts that count, in order."""
    seen: dict[str, Verdict] = {}
    for event_id, event in found.log:
        if isinstance(event, Verdict) and event_id in found.counted:
            seen.setdefault(event_id, event)
    return list(seen.values())
