"""Projections without a database: what each event counts as, and what always adds up."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.codec import Event
from convo_events.conversations import Hit, Turn
from convo_events.outcomes import CallLost, Filtered, Generated, StepBlocked, StepDeferred, StepFact
from convo_events.runs import RunCapChanged, RunFailed, RunPaused, RunResumed
from convo_events.steps import ConversationRejected, StepRequested, ThreadFact, Verdict
from convo_events.usage import Call, Usage
from convo_projector.calls import call_of
from convo_projector.fold import FOLDED, WRITTEN
from convo_projector.gate import is_late
from convo_projector.projections import (
    conversations,
    cost,
    minutes,
    reject_reasons,
    run_view,
    signatures,
    threads,
    turns,
)
from convo_projector.stamp import Key, Stamp
from tests.events.examples import EXAMPLES
from tests.histories import History, history
from tests.journeys.configs import snapshot

SNAPSHOT = snapshot(7, threads=3, turns=2, retries=1)
SEEDS, MOVES = st.integers(0, 10_000), st.integers(0, 150)
AT = datetime(2026, 3, 1, 12, 0, 59, 999_000, tzinfo=UTC)
NOW, LATE = Stamp(9, AT, late=False), Stamp(9, AT, late=True)
BY_TYPE = {example.type: example for example in EXAMPLES}


@dataclass
class Memory:
    """A fold into dictionaries."""

    rows: dict[str, dict[Key, Any]] = field(
        default_factory=lambda: {p.TABLE: {} for p in (*FOLDED, *WRITTEN)}
    )
    late: dict[str, bool] = field(default_factory=dict)

    def fold(self, seq: int, event_id: str, event: Event) -> None:
        run = self.rows[run_view.TABLE].get((getattr(event, "run", ""),))
        thread = None
        if isinstance(event, ThreadFact):
            thread = self.rows[threads.TABLE].get((event.run, event.thread))
        late = is_late(event, 0, run, thread)
        known = self.late.get(event_id)
        if known is False or (known and late):
            return
        self.late[event_id] = late
        stamp = Stamp(seq, AT, late, charged=known is not None)
        for projection in FOLDED:
            self._evolve(projection, event, stamp)
        for written in WRITTEN:
            self.rows[written.TABLE].update(written.rows(event, stamp))

    def _evolve(self, projection: ModuleType, event: Event, stamp: Stamp) -> None:
        key = projection.key(event, stamp)
        rows = self.rows[projection.TABLE]
        if key is not None:
            after = projection.evolve(rows.get(key), event, stamp)
            if after is not None:
                rows[key] = after

    def run(self, found: History) -> run_view.Row:
        row: run_view.Row = self.rows[run_view.TABLE][(found.run,)]
        return row


def positions(found: History) -> Iterator[Memory]:
    """The fold after each event."""
    memory = Memory()
    for seq, (event_id, event) in enumerate(found.log, start=1):
        memory.fold(seq, event_id, event)
        yield memory


def folded(found: History) -> Memory:
    *_, last = positions(found)
    return last


@given(SEEDS, MOVES, st.booleans())
@settings(max_examples=60, deadline=None)
def test_i1_the_counters_add_up_at_every_position(seed: int, moves: int, cancel: bool) -> None:
    found = history(SNAPSHOT, seed, moves, cancel=cancel)
    before = (0, 0, 0)
    for memory in positions(found):
        row = memory.run(found)
        settled = (row.accepted, row.rejected, row.failed)
        open_now = row.target - sum(settled) - row.cancelled
        assert open_now >= 0
        assert all(now >= then for now, then in zip(settled, before, strict=True))
        assert 0 <= row.closed <= row.opened <= row.lanes
        assert sum(settled) <= row.generated + row.failed
        statuses = [c.status for c in memory.rows[conversations.TABLE].values()]
        assert [statuses.count(s) for s in ("accepted", "rejected", "failed")] == list(settled)
        before = settled
    assert open_now == 0


@given(SEEDS, MOVES, st.booleans())
@settings(max_examples=40, deadline=None)
def test_i2_every_conversation_has_one_verdict(seed: int, moves: int, cancel: bool) -> None:
    found = history(SNAPSHOT, seed, moves, cancel=cancel)
    memory = folded(found)
    rows = list(memory.rows[conversations.TABLE].values())
    verdicts = [row for row in rows if row.settled_seq is not None]
    minute = sum(m.accepted + m.rejected + m.failed for m in memory.rows[minutes.TABLE].values())

    assert len(verdicts) == memory.run(found).settled == minute
    assert all((row.status == "open") == (row.settled_seq is None) for row in rows)
    assert cancel or len(verdicts) == 7
    reasons = sum(row.n for row in memory.rows[reject_reasons.TABLE].values())
    assert reasons == memory.run(found).rejected + memory.run(found).failed


@given(SEEDS, MOVES, st.booleans())
@settings(max_examples=40, deadline=None)
def test_i5_costs_are_those_of_every_call_once(seed: int, moves: int, cancel: bool) -> None:
    found = history(SNAPSHOT, seed, moves, cancel=cancel)
    memory = folded(found)
    calls = [call for event in dict(found.log).values() if (call := call_of(event)) is not None]
    known = [c for c in calls if c.basis not in ("worst_case", "unpriced")]
    rows = memory.rows[cost.TABLE].values()

    assert sum(row.calls for row in rows) == len(calls)
    assert sum(row.cost_micro for row in rows) == sum(c.cost_micro or 0 for c in known)
    assert sum(row.unknown_micro for row in rows) == sum(
        c.cost_micro or 0 for c in calls if c.basis == "worst_case"
    )
    shown = memory.rows[conversations.TABLE].values()
    assert sum(row.cost_micro for row in shown) == sum(row.cost_micro for row in rows)
    assert sum(row.unknown_calls for row in shown) == sum(row.unknown_calls for row in rows)


@given(SEEDS, MOVES)
@settings(max_examples=30, deadline=None)
def test_r07_a_replay_with_everything_twice_ends_the_same(seed: int, moves: int) -> None:
    found = history(SNAPSHOT, seed, moves)
    once, twice = Memory(), Memory()
    for seq, (event_id, event) in enumerate(found.log):
        once.fold(seq, event_id, event)
        twice.fold(seq, event_id, event)
        twice.fold(seq, event_id, event)

    assert twice == once


@given(SEEDS, MOVES)
@settings(max_examples=30, deadline=None)
def test_turns_and_signatures_belong_to_their_conversation(seed: int, moves: int) -> None:
    memory = folded(history(SNAPSHOT, seed, moves))
    told = memory.rows[turns.TABLE]
    for row in memory.rows[conversations.TABLE].values():
        assert [key for key in told if key[0] == row.id] == [(row.id, n) for n in range(row.turns)]
    accepted = {r.id for r in memory.rows[conversations.TABLE].values() if r.status == "accepted"}
    assert {key[0] for key in memory.rows[signatures.TABLE]} == accepted


def call(**known: object) -> Call:
    plain = {"role": "judge", "backend": "b", "model": "m", "attempt": 1, "step_key": "k"}
    return Call.model_validate({**plain, "basis": "exact", "cost_micro": 7, **known})


def lost(**known: object) -> CallLost:
    return CallLost(run="run-abc", thread=0, conversation=0, step=1, call=call(**known))


def test_c01_cached_and_reasoning_tokens_are_parts_and_not_added() -> None:
    usage = Usage(input_tokens=100, cached_tokens=60, output_tokens=20, reasoning_tokens=15)
    row = cost.evolve(None, lost(usage=usage), NOW)

    assert row is not None
    assert (row.input_tokens, row.cached_tokens) == (100, 60)
    assert (row.output_tokens, row.reasoning_tokens) == (20, 15)


def test_c05_roles_on_one_model_stay_apart() -> None:
    keys = {cost.key(lost(role=role), NOW) for role in ("user", "assistant", "judge", "script")}
    assert len(keys) == 4


@pytest.mark.parametrize(
    ("known", "counted"),
    [
        ({"usage": Usage(input_tokens=1, output_tokens=1)}, (0, 0, 0, 7, 0)),
        ({"basis": "free", "cost_micro": 0, "error": "rate_limited"}, (1, 0, 0, 0, 0)),
        ({"basis": "worst_case", "error": "lost"}, (1, 1, 0, 0, 7)),
        ({"basis": "worst_case", "error": "timeout"}, (1, 1, 0, 0, 7)),
        ({"basis": "unpriced", "cost_micro": None, "error": "lost"}, (1, 1, 1, 0, 0)),
        (
            {
                "basis": "unpriced",
                "cost_micro": None,
                "usage": Usage(input_tokens=1, output_tokens=1),
            },
            (0, 0, 1, 0, 0),
        ),
    ],
)
def test_c09_unknown_stands_beside_the_known(
    known: dict[str, object], counted: tuple[int, ...]
) -> None:
    row = cost.evolve(None, lost(**known), NOW)

    assert row is not None
    found = (row.failed_calls, row.unknown_calls, row.unpriced_calls)
    assert (*found, row.cost_micro, row.unknown_micro) == counted


def test_c04_late_calls_are_charged_and_charged_ones_are_not_again() -> None:
    row = cost.evolve(None, lost(), LATE)

    assert row is not None
    assert row.cost_micro == 7
    assert cost.evolve(row, lost(), Stamp(10, AT, late=False, charged=True)) is row


@pytest.mark.parametrize("name", sorted(BY_TYPE))
def test_every_event_is_folded_by_every_projection(name: str) -> None:
    """With no row, and with the rows of a run: no recorded fact is ever refused."""
    event = BY_TYPE[name]
    memory = Memory()
    memory.fold(1, "planned", BY_TYPE["run.planned"])
    memory.fold(2, "started", BY_TYPE["run.started"])
    for empty in (Memory(), memory):
        empty.fold(3, "it", event)
        assert empty.late["it"] in (True, False)


def test_lists_show_the_first_turn_shortened() -> None:
    memory = folded(history(SNAPSHOT, 1, 0))
    row = next(iter(memory.rows[conversations.TABLE].values()))
    assert row.preview == "turn 0"
    long = Generated(
        run=row.run,
        thread=row.thread,
        conversation=row.number,
        step=1,
        turns=(Turn(role="user", text="x" * 500),),
        first_turn=0,
        finish="stop",
        call=call(),
    )
    after = conversations.evolve(row, long, NOW)
    assert after is not None
    assert len(after.preview) == conversations.PREVIEW


def test_a_reject_keeps_its_first_hit_and_the_others() -> None:
    memory = folded(history(SNAPSHOT, 1, 0))
    row = next(iter(memory.rows[conversations.TABLE].values()))
    hits = [Hit(reason=r, layer=1, precedence=n) for n, r in enumerate(("truncated", "garbled"))]
    verdict = ConversationRejected(
        run=row.run,
        thread=row.thread,
        conversation=row.number,
        leader=1,
        last=True,
        hit=hits[0],
        also=(hits[1],),
    )
    after = conversations.evolve(row, verdict, NOW)

    assert after is not None
    assert (after.status, after.reason, after.layer) == ("rejected", "truncated", 1)
    assert [hit["reason"] for hit in after.also] == ["garbled"]
    assert (after.settled_at, after.settled_seq) == (AT, 9)
    assert conversations.evolve(row, verdict, LATE) == row


def test_a_block_shows_until_the_run_is_resumed() -> None:
    row = folded(history(SNAPSHOT, 1, 0)).rows[run_view.TABLE][("run-h",)]
    place = {"run": "run-h", "thread": 0, "conversation": 0, "step": 1}
    blocked = StepBlocked(**place, reason="backend_quota", detail="top up")
    row = run_view.evolve(row, blocked, NOW)
    row = run_view.evolve(row, RunPaused(run="run-h", epoch=50, reason="backend_quota"), NOW)
    assert (row.status, row.blocked_reason, row.blocked_detail) == (
        "paused",
        "backend_quota",
        "top up",
    )

    row = run_view.evolve(row, RunResumed(run="run-h", epoch=51), NOW)

    assert (row.status, row.reason, row.blocked_reason, row.blocked_detail) == (
        "running",
        "",
        "",
        "",
    )


def test_a_block_from_before_a_resume_does_not_pause_the_run_again() -> None:
    row = folded(history(SNAPSHOT, 1, 0)).rows[run_view.TABLE][("run-h",)]
    place = {"run": "run-h", "thread": 0, "conversation": 0, "step": 1}
    told = {"reason": "backend_auth", "detail": "another key"}
    row = run_view.evolve(row, RunResumed(run="run-h", epoch=51), NOW)
    assert run_view.evolve(row, StepBlocked(**place, **told, epoch=49), NOW) == row
    for now_or_unsaid in (51, 0):
        again = run_view.evolve(row, StepBlocked(**place, **told, epoch=now_or_unsaid), NOW)
        assert again.blocked_reason == "backend_auth"


def test_another_cap_shows_and_lets_a_blocked_step_be_asked_for_again() -> None:
    row = folded(history(SNAPSHOT, 1, 0)).rows[run_view.TABLE][("run-h",)]
    place = {"run": "run-h", "thread": 0, "conversation": 0, "step": 1}
    row = run_view.evolve(row, StepBlocked(**place, reason="spend_cap", detail="full"), NOW)
    paused = RunPaused(run="run-h", epoch=50, reason="spend_cap", detail="full")
    row = run_view.evolve(row, paused, NOW)
    changed = RunCapChanged(run="run-h", epoch=51, spend_cap_micro=9_000_000)
    row = run_view.evolve(row, changed, NOW)

    assert (row.spend_cap_micro, row.epoch) == (9_000_000, 51)
    assert (row.status, row.reason, row.blocked_reason) == ("paused", "spend_cap", "")
    assert "resume" in row.detail
    row = run_view.evolve(row, RunCapChanged(run="run-h", epoch=52, spend_cap_micro=None), NOW)
    assert row.spend_cap_micro is None


def test_what_the_provider_said_stands_beside_what_was_booked() -> None:
    usage = Usage(input_tokens=9, cached_tokens=2, cache_write_tokens=3, output_tokens=1)
    told = lost(usage=usage, cost_micro=100, provider_cost_micro=130)
    row = None
    for event in (told, lost(usage=usage, cost_micro=40), told):
        row = cost.evolve(row, event, NOW)
    assert row is not None
    assert (row.calls, row.cost_micro, row.cache_write_tokens) == (3, 240, 9)
    assert (row.provider_calls, row.provider_micro, row.provider_priced_micro) == (2, 260, 200)


def test_a_failed_run_leaves_nothing_open() -> None:
    found = History(SNAPSHOT, history(SNAPSHOT, 1, 0).rng)
    found.start()
    row = folded(found).run(found)
    row = run_view.evolve(row, RunFailed(run="run-h", epoch=9, reason="snapshot_missing"), NOW)

    assert (row.status, row.reason, row.cancelled, row.ended_at) == (
        "failed",
        "snapshot_missing",
        7,
        AT,
    )


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_nothing_counts_after_the_end(seed: int) -> None:
    found = history(SNAPSHOT, seed, 60, cancel=seed % 2 == 0)
    memory = folded(found)
    run = memory.run(found)
    for _, event in found.log:
        thread = None
        if isinstance(event, ThreadFact):
            thread = memory.rows[threads.TABLE].get((event.run, event.thread))
        assert is_late(event, 0, run, thread)


def test_only_requests_outcomes_and_verdicts_move_a_thread() -> None:
    moved = {name for name, event in BY_TYPE.items() if threads.key(event, NOW) is not None}
    assert moved == {
        n for n, e in BY_TYPE.items() if isinstance(e, StepRequested | StepFact | Verdict)
    }


def test_minutes_are_cut_by_the_clock() -> None:
    key = minutes.key(BY_TYPE["conversation.failed"], NOW)
    assert key == ("run-abc", AT.replace(second=0, microsecond=0))


def test_words_are_those_the_filters_counted() -> None:
    row = next(iter(folded(history(SNAPSHOT, 1, 0)).rows[conversations.TABLE].values()))
    place = {"run": row.run, "thread": row.thread, "conversation": row.number, "step": 9}
    looked = Filtered(**place, hits=(), signature="", words=77)
    after = conversations.evolve(row, looked, NOW)
    assert after is not None
    assert after.words == 77
    waits = StepDeferred(
        **place,
        not_before=AT,
        reason="timeout",
        counts=True,
        call=call(basis="worst_case", cost_micro=50, error="timeout"),
    )
    after = conversations.evolve(row, waits, NOW)
    assert after is not None
    assert (after.cost_micro, after.unknown_calls) == (row.cost_micro, row.unknown_calls + 1)
