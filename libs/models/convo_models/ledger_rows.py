"""The ledger's rows in and out of Postgres, many at a time; runs inside the ledger's transactions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import orjson

from convo_events.store import Connection
from convo_events.usage import Call
from convo_models.claim import ClaimToken
from convo_models.claims import Booked, Control, Place, Work

LEASE_MARGIN_S = 30.0
"""A lease outlives the call's own deadline by this much: a frozen worker that comes back is dearer than a wait."""

Ending = Literal["finished", "failed", "deferred", "aborted"]
"""finished and failed close the step; deferred leaves it open for a later request; aborted was cut by cancel."""
_CALL_STATES = {
    "finished": "finished",
    "failed": "finished",
    "deferred": "open",
    "aborted": "aborted",
}


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a claimed call ended, with the event that says so."""

    token: ClaimToken
    ending: Ending
    call: Call
    event_id: str
    event: str
    """The outcome as JSON, exactly as it goes into the log."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A claim that is about to be booked."""

    work: Work
    step_key: str
    attempt: int
    capped: bool
    """Whether its worst case is reserved against a cap."""


async def controls(c: Connection, runs: Collection[str]) -> dict[str, Control]:
    """Control rows of runs.

    Shared locks: a pause, or another cap, waits for the claims before it, and every claim after it sees it.
    """
    rows = await c.fetch(
        "select run, status, epoch from run_control where run = any($1) order by run for share",
        sorted(runs),
    )
    return {row["run"]: Control(row["status"], row["epoch"]) for row in rows}


async def booked(c: Connection, places: Sequence[Place]) -> dict[Place, Booked]:
    """What is booked for the steps, locked in the order of their places."""
    rows = await c.fetch(
        """
        select c.run, c.thread, c.step, c.step_key, c.state, c.attempts, c.emit,
               c.lease_until > clock_timestamp() as leased, a.event
          from model_call c
          left join model_attempt a on a.step_key = c.step_key and a.attempt = c.attempts
         where (c.run, c.thread, c.step) in (select * from unnest($1::text[], $2::int[], $3::int[]))
         order by c.run, c.thread, c.step for update of c
        """,
        [run for run, _, _ in places],
        [thread for _, thread, _ in places],
        [step for _, _, step in places],
    )
    return {
        (row["run"], row["thread"], row["step"]): Booked(
            row["state"], row["attempts"], row["emit"], row["leased"], row["event"], row["step_key"]
        )
        for row in rows
    }


async def book(c: Connection, grants: Sequence[Grant], owner: str) -> set[str]:
    """Write the granted claims; the keys that are really ours (a racing first claim may have won)."""
    if not grants:
        return set()
    # In one order for all, so that two groups with the same first claims never wait for each other.
    ordered = sorted(grants, key=lambda grant: grant.work.place)
    works = [grant.work for grant in ordered]
    rows = await c.fetch(
        """
        with w as (
            select * from unnest(
                $1::text[], $2::text[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::float8[],
                $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[])
            as w (step_key, run, thread, conversation, step, attempt, emit, lease_s, reserved, worst, role,
                  backend, model)
        ), first as (
            insert into model_call (step_key, run, thread, step, state, attempts, emit, owner, lease_until,
                                    reserved_micro)
            select step_key, run, thread, step, 'started', attempt, emit, $14,
                   clock_timestamp() + make_interval(secs => lease_s), reserved
              from w where attempt = 1 order by run, thread, step
            on conflict (run, thread, step) do nothing
            returning step_key
        ), later as (
            update model_call m
               set state = 'started', attempts = w.attempt, emit = w.emit, owner = $14,
                   lease_until = clock_timestamp() + make_interval(secs => w.lease_s),
                   reserved_micro = w.reserved
              from w where w.attempt > 1 and (m.run, m.thread, m.step) = (w.run, w.thread, w.step)
               and m.state = 'open' and m.attempts = w.attempt - 1
            returning m.step_key
        ), taken as (
            select step_key from first union all select step_key from later
        )
        insert into model_attempt (step_key, attempt, run, thread, conversation, step, role, backend, model,
                                   state, worst_micro)
        select step_key, attempt, run, thread, conversation, step, role, backend, model, 'started', worst
          from w join taken using (step_key)
        returning step_key
        """,
        [grant.step_key for grant in ordered],
        [work.run for work in works],
        [work.thread for work in works],
        [work.conversation for work in works],
        [work.step for work in works],
        [grant.attempt for grant in ordered],
        [work.emit for work in works],
        [work.deadline_s + LEASE_MARGIN_S for work in works],
        [(grant.work.worst_micro or 0) if grant.capped else 0 for grant in ordered],
        [work.worst_micro for work in works],
        [work.role for work in works],
        [work.backend for work in works],
        [work.model for work in works],
        owner,
    )
    return {str(row["step_key"]) for row in rows}


async def settle(c: Connection, settlements: Sequence[Settlement], owner: str | None) -> list[bool]:
    """Book endings in one statement; True for each whose claim was still held by ``owner`` (None: by anyone)."""
    rows = await c.fetch(
        """
        with x as (
            select distinct on (step_key, attempt) * from unnest(
                $1::text[], $2::int[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[],
                $9::text[])
            as x (step_key, attempt, call_state, state, cost, basis, usage, event_id, event)
        ), purses as materialized (
            select b.run from run_budget b where b.cap_micro is not null
               and b.run in (select m.run from model_call m join x on x.step_key = m.step_key)
             order by b.run for update
        ), held as (
            select m.run, m.thread, m.step, m.reserved_micro, x.*
              from model_call m join x on x.step_key = m.step_key and x.attempt = m.attempts
             where (select count(*) from purses) >= 0  -- the budgets are locked before the calls
               and m.state = 'started' and ($10::text is null or m.owner = $10)
             order by m.run, m.thread, m.step for update of m
        ), closed as (
            update model_call c set state = h.call_state, reserved_micro = 0 from held h
             where c.run = h.run and c.thread = h.thread and c.step = h.step
        ), ended as (
            update model_attempt a
               set state = h.state, cost_micro = h.cost, basis = h.basis, usage = h.usage::jsonb,
                   ended_at = clock_timestamp(), event_id = h.event_id, event = h.event
              from held h where a.step_key = h.step_key and a.attempt = h.attempt
        ), spent as (
            -- Where a cap came while this waited, the calls are read anew but the budget is first checked as it was
            -- before, without their reservations: greatest() lets it get as far as reading that anew, too.
            update run_budget b set spent_micro = b.spent_micro + s.cost,
                                    reserved_micro = greatest(0, b.reserved_micro - s.released)
              from (select run, sum(coalesce(cost, 0)) as cost, sum(reserved_micro) as released
                      from held group by run) s
             where b.run = s.run and (b.cap_micro is not null or s.released > 0)
        )
        select step_key, attempt from held
        """,
        [item.token.step_key for item in settlements],
        [item.token.attempt for item in settlements],
        [_CALL_STATES[item.ending] for item in settlements],
        [_attempt_state(item) for item in settlements],
        [item.call.cost_micro for item in settlements],
        [item.call.basis for item in settlements],
        [_json(item.call) for item in settlements],
        [item.event_id for item in settlements],
        [item.event for item in settlements],
        owner,
    )
    held = {(row["step_key"], row["attempt"]) for row in rows}
    return [(item.token.step_key, item.token.attempt) in held for item in settlements]


def _attempt_state(item: Settlement) -> str:
    return "unknown" if item.call.error == "lost" else item.ending


def _json(call: Call) -> str | None:
    return orjson.dumps(call.usage.model_dump()).decode() if call.usage else None
