"""The call ledger: claim before a call, settle with its answer, so that nothing is paid twice and nothing paid is lost.

Concurrent claims and settles of one process share a transaction. Times are the database's.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import asyncpg
import orjson

from convo_events.coalesce import Coalescer
from convo_events.store import Connection, Pool, outage_named
from convo_events.usage import Call
from convo_models.claim import ClaimToken
from convo_models.claims import (
    Answer,
    Booked,
    Budget,
    Control,
    Granted,
    Held,
    Refusal,
    Work,
    refusal,
)

LEASE_MARGIN_S = 30.0
"""A lease outlives the call's own deadline by this much: a frozen worker that comes back is dearer than a wait."""

Ending = Literal["finished", "failed", "deferred", "aborted"]
"""finished and failed close the step; deferred leaves it open for a later request; aborted was cut by cancel."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a claimed call ended, with the event that says so."""

    token: ClaimToken
    ending: Ending
    call: Call
    event_id: str
    event: str
    """The outcome as JSON, exactly as it goes into the log."""


class Ledger:
    """Claims and settles for one worker process."""

    def __init__(self, pool: Pool, owner: str) -> None:
        """Take the pool and the name under which leases are held: slot and incarnation."""
        self._pool = pool
        self._owner = owner
        self._claims: Coalescer[Work, Answer] = Coalescer(self._claim_group, most=200)
        self._settles: Coalescer[Settlement, bool] = Coalescer(self._settle_group, most=200)

    async def claim(self, work: Work) -> Answer:
        """Permission for a call, or why not.

        Raises:
            Unavailable: when Postgres is away; then nothing was granted.
        """
        return await self._claims.ask(work)

    async def settle(self, settlement: Settlement) -> bool:
        """Book how a call ended; False when the lease was lost and the call is booked as unknown already.

        Raises:
            Unavailable: when Postgres is away. Settle again: the answer must not be lost.
        """
        return await self._settles.ask(settlement)

    async def release(self, token: ClaimToken) -> None:
        """Give back a claim under which nothing was sent.

        Raises:
            Unavailable: when Postgres is away; the lease then runs out and is booked as unknown.
        """
        async with outage_named(), self._pool.acquire() as c, c.transaction():
            # The call before its attempt, as everyone locks them.
            row = await c.fetchrow(
                "select run, reserved_micro from model_call where step_key = $1 and attempts = $2"
                " and state = 'started' and owner = $3 for update",
                token.step_key,
                token.attempt,
                self._owner,
            )
            if row is None:
                return
            await c.execute(
                "delete from model_attempt where step_key = $1 and attempt = $2",
                token.step_key,
                token.attempt,
            )
            if token.attempt == 1:
                await c.execute("delete from model_call where step_key = $1", token.step_key)
            else:
                await c.execute(
                    "update model_call set state = 'open', attempts = attempts - 1, emit = emit - 1,"
                    " reserved_micro = 0 where step_key = $1",
                    token.step_key,
                )
            await _spend(c, {row["run"]: (0, int(row["reserved_micro"]))})

    async def take_over(self, instance: str) -> int:
        """End the leases of earlier incarnations of this slot, which are dead; how many there were.

        The supervisor has seen the old process end before it starts the new one, so nothing of it is in flight.
        """
        async with outage_named():
            done = await self._pool.execute(
                "update model_call set lease_until = clock_timestamp()"
                " where state = 'started' and starts_with(owner, $1 || '/') and owner <> $2",
                instance,
                self._owner,
            )
        return int(done.split()[-1])

    async def _claim_group(self, works: Sequence[Work]) -> list[Answer]:
        async with outage_named(), self._pool.acquire() as connection, connection.transaction():
            granted_at = time.monotonic()
            controls = await _controls(connection, {work.run for work in works})
            booked = await _booked(connection, sorted({work.step_key for work in works}))
            budgets = await _budgets(connection, {work.run for work in works})
            answers: list[Answer] = []
            granted: list[tuple[Work, int]] = []
            for work in works:
                found = booked.get(work.step_key)
                said: Refusal | None = refusal(
                    work, controls.get(work.run), found, budgets.get(work.run)
                )
                if said is not None:
                    answers.append(said)
                    continue
                attempt = (found.attempts if found else 0) + 1
                granted.append((work, attempt))
                booked[work.step_key] = Booked("started", attempt, work.emit, True, None)
                _reserve(budgets, work)
                token = ClaimToken(work.step_key, attempt, attempt, granted_at, work.deadline_s)
                answers.append(Granted(token))
            taken = await self._book(connection, granted)
            for work, _ in granted:
                if work.step_key not in taken:
                    _reserve(budgets, work, -1)
            await _save_reserved(connection, budgets)
        return [_or_held(answer, taken) for answer in answers]

    async def _book(self, c: Connection, granted: list[tuple[Work, int]]) -> set[str]:
        """Write the granted claims; the keys that are really ours (a racing first claim may have won)."""
        if not granted:
            return set()
        # In one order for all, so that two groups with the same first claims never wait for each other.
        granted = sorted(granted, key=lambda item: item[0].step_key)
        rows = await c.fetch(
            """
            insert into model_call (step_key, run, thread, step, state, attempts, emit, owner, lease_until,
                                    reserved_micro)
            select key, run, thread, step, 'started', attempt, emit, $8,
                   clock_timestamp() + make_interval(secs => lease_s), worst
            from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[], $6::int[], $7::float8[],
                        $9::bigint[])
                 as w (key, run, thread, step, attempt, emit, lease_s, worst)
            on conflict (step_key) do update
               set state = 'started', attempts = excluded.attempts, emit = excluded.emit, owner = excluded.owner,
                   lease_until = excluded.lease_until, reserved_micro = excluded.reserved_micro
             where model_call.state = 'open' and model_call.attempts = excluded.attempts - 1
            returning step_key
            """,
            [work.step_key for work, _ in granted],
            [work.run for work, _ in granted],
            [work.thread for work, _ in granted],
            [work.step for work, _ in granted],
            [attempt for _, attempt in granted],
            [work.emit for work, _ in granted],
            [work.deadline_s + LEASE_MARGIN_S for work, _ in granted],
            self._owner,
            [work.worst_micro or 0 for work, _ in granted],
        )
        taken = {str(row["step_key"]) for row in rows}
        ours = [(work, attempt) for work, attempt in granted if work.step_key in taken]
        await c.executemany(
            """
            insert into model_attempt (step_key, attempt, run, thread, conversation, step, role, backend, model,
                                       state, worst_micro)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'started', $10)
            """,
            [
                (
                    w.step_key,
                    n,
                    w.run,
                    w.thread,
                    w.conversation,
                    w.step,
                    w.role,
                    w.backend,
                    w.model,
                    w.worst_micro,
                )
                for w, n in ours
            ],
        )
        return taken

    async def _settle_group(self, settlements: Sequence[Settlement]) -> list[bool]:
        async with outage_named(), self._pool.acquire() as connection, connection.transaction():
            return await settle_in(connection, settlements, self._owner)


def _or_held(answer: Answer, taken: set[str]) -> Answer:
    if isinstance(answer, Granted) and answer.token.step_key not in taken:
        return Held()
    return answer


def _reserve(budgets: dict[str, Budget], work: Work, sign: int = 1) -> None:
    budget = budgets.get(work.run)
    if budget is not None:
        reserved = budget.reserved_micro + sign * (work.worst_micro or 0)
        budgets[work.run] = Budget(budget.cap_micro, budget.spent_micro, reserved)


async def settle_in(
    c: Connection, settlements: Sequence[Settlement], owner: str | None
) -> list[bool]:
    """Book endings inside a transaction; True for each whose claim was still held by ``owner`` (None: by anyone)."""
    keys = sorted({item.token.step_key for item in settlements})
    rows = await c.fetch(
        "select step_key, run, attempts, reserved_micro from model_call"
        " where step_key = any($1) and state = 'started' and ($2::text is null or owner = $2)"
        " order by step_key for update",
        keys,
        owner,
    )
    held: dict[tuple[str, int], asyncpg.Record] = {(r["step_key"], r["attempts"]): r for r in rows}
    ours = list(
        {
            claim: s for s in settlements if (claim := (s.token.step_key, s.token.attempt)) in held
        }.values()
    )
    if ours:
        await _write_endings(c, ours)
        spent: dict[str, tuple[int, int]] = {}
        for item in ours:
            row = held[item.token.step_key, item.token.attempt]
            cost, reserved = spent.get(row["run"], (0, 0))
            cost += item.call.cost_micro or 0
            spent[row["run"]] = (cost, reserved + int(row["reserved_micro"]))
        await _spend(c, spent)
    done = {(item.token.step_key, item.token.attempt) for item in ours}
    return [(item.token.step_key, item.token.attempt) in done for item in settlements]


async def _write_endings(c: Connection, ours: list[Settlement]) -> None:
    states = {
        "finished": "finished",
        "failed": "finished",
        "deferred": "open",
        "aborted": "aborted",
    }
    await c.execute(
        "update model_call c set state = x.state, reserved_micro = 0"
        " from unnest($1::text[], $2::text[]) as x (key, state) where c.step_key = x.key",
        [item.token.step_key for item in ours],
        [states[item.ending] for item in ours],
    )
    await c.execute(
        """
        update model_attempt a
           set state = x.state, cost_micro = x.cost, basis = x.basis, usage = x.usage::jsonb,
               ended_at = clock_timestamp(), event_id = x.event_id, event = x.event
          from unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
               as x (key, attempt, state, cost, basis, usage, event_id, event)
         where a.step_key = x.key and a.attempt = x.attempt
        """,
        [item.token.step_key for item in ours],
        [item.token.attempt for item in ours],
        [_attempt_state(item) for item in ours],
        [item.call.cost_micro for item in ours],
        [item.call.basis for item in ours],
        [_json(item.call) for item in ours],
        [item.event_id for item in ours],
        [item.event for item in ours],
    )


def _attempt_state(item: Settlement) -> str:
    return "unknown" if item.call.error == "lost" else item.ending


def _json(call: Call) -> str | None:
    return orjson.dumps(call.usage.model_dump()).decode() if call.usage else None


async def _spend(c: Connection, spent: dict[str, tuple[int, int]]) -> None:
    """Move (spent, released) micro-dollars of each run; runs without a cap have no row and need none."""
    runs = sorted(spent)
    await c.execute(
        "update run_budget b set spent_micro = b.spent_micro + x.cost,"
        " reserved_micro = b.reserved_micro - x.released"
        " from unnest($1::text[], $2::bigint[], $3::bigint[]) as x (run, cost, released) where b.run = x.run",
        runs,
        [spent[run][0] for run in runs],
        [spent[run][1] for run in runs],
    )


async def _controls(c: Connection, runs: set[str]) -> dict[str, Control]:
    """Shared locks: a pause waits for the claims before it, and every claim after it sees the pause."""
    rows = await c.fetch(
        "select run, status, epoch from run_control where run = any($1) order by run for share",
        sorted(runs),
    )
    return {row["run"]: Control(row["status"], row["epoch"]) for row in rows}


async def _booked(c: Connection, keys: list[str]) -> dict[str, Booked]:
    rows = await c.fetch(
        "select c.step_key, c.state, c.attempts, c.emit, c.lease_until > clock_timestamp() as leased, a.event"
        " from model_call c left join model_attempt a on a.step_key = c.step_key and a.attempt = c.attempts"
        " where c.step_key = any($1) order by c.step_key for update of c",
        keys,
    )
    return {
        row["step_key"]: Booked(
            row["state"], row["attempts"], row["emit"], row["leased"], row["event"]
        )
        for row in rows
    }


async def _budgets(c: Connection, runs: set[str]) -> dict[str, Budget]:
    rows = await c.fetch(
        "select run, cap_micro, spent_micro, reserved_micro from run_budget where run = any($1)"
        " order by run for update",
        sorted(runs),
    )
    return {
        row["run"]: Budget(row["cap_micro"], row["spent_micro"], row["reserved_micro"])
        for row in rows
    }


async def _save_reserved(c: Connection, budgets: dict[str, Budget]) -> None:
    if budgets:
        await c.executemany(
            "update run_budget set reserved_micro = $2 where run = $1",
            [(run, budget.reserved_micro) for run, budget in budgets.items()],
        )


async def set_cap(c: Connection, run: str, cap_micro: int) -> None:
    """Give a run a cap, or another cap."""
    await c.execute(
        "insert into run_budget (run, cap_micro) values ($1, $2)"
        " on conflict (run) do update set cap_micro = excluded.cap_micro",
        run,
        cap_micro,
    )
