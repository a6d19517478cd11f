"""What the scheduler reads and writes in Postgres. It alone writes ``run_control`` and ``leader``."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson

from convo_events.errors import Unavailable
from convo_events.judge_health import Answers
from convo_events.store import Connection, Pool
from convo_events.threads import STATE, ThreadState
from convo_scheduler.floor import Lately
from convo_scheduler.run import Control


@dataclass(frozen=True, slots=True)
class Progress:
    """The folded counters of a run that decisions need."""

    epoch: int
    settled: int
    opened: int
    closed: int
    blocked_reason: str
    blocked_detail: str
    lately: Lately


@dataclass(frozen=True, slots=True)
class Due:
    """Threads to decide on, as of one position of the fold."""

    position: int
    threads: tuple[ThreadState, ...]
    """Oldest first."""


async def take_lead(c: Connection, instance: str) -> int:
    """The fencing epoch of a new leader."""
    return int(
        await c.fetchval(
            "insert into leader (epoch, instance) values (1, $1)"
            " on conflict (one) do update set epoch = leader.epoch + 1, instance = $1, since = now()"
            " returning epoch",
            instance,
        )
    )


async def check_lead(c: Connection, leader: int) -> None:
    """Hold the fence for this transaction.

    Raises:
        Unavailable: when another scheduler leads.
    """
    found = await c.fetchval("select epoch from leader for share")
    if found != leader:
        raise Unavailable(f"leader {found} took over from {leader}", part="scheduler")


async def control_of(c: Connection, run: str, *, lock: bool = False) -> Control | None:
    """The control row of a run."""
    row = await c.fetchrow(
        "select run, status, epoch, snapshot, target, lanes, not_before from run_control where run = $1"
        + (" for update" if lock else ""),
        run,
    )
    return Control(**dict(row)) if row else None


async def live_controls(pool: Pool) -> list[Control]:
    """Control rows of all runs that something can still happen to."""
    rows = await pool.fetch(
        "select run, status, epoch, snapshot, target, lanes, not_before from run_control"
        " where status in ('queued', 'running', 'cancelling') order by created_at"
    )
    return [Control(**dict(row)) for row in rows]


async def save_control(
    c: Connection, control: Control, reason: str, pending: Sequence[str]
) -> None:
    """Write a control row, with the events that say so until they are in the log."""
    await c.execute(
        "insert into run_control (run, status, epoch, snapshot, target, lanes, not_before, reason, pending)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        " on conflict (run) do update set status = $2, epoch = $3, reason = $8,"
        " pending = run_control.pending || $9, changed_at = now()",
        control.run,
        control.status,
        control.epoch,
        control.snapshot,
        control.target,
        control.lanes,
        control.not_before,
        reason,
        list(pending),
    )


async def published(pool: Pool, run: str) -> None:
    """Forget the pending events of a run: they are in the log."""
    await pool.execute("update run_control set pending = '{}' where run = $1", run)


async def pending_of(pool: Pool, run: str) -> list[str]:
    """Events of a run that may not be in the log, oldest first."""
    return list(await pool.fetchval("select pending from run_control where run = $1", run) or [])


async def runs_with_pending(pool: Pool) -> list[str]:
    """Runs with events that may not be in the log, as after a crash."""
    rows = await pool.fetch("select run from run_control where pending <> '{}' order by changed_at")
    return [row["run"] for row in rows]


async def fold_position(pool: Pool, log_created: str) -> int:
    """How far this log is folded; 0 where another one was folded last."""
    return int(
        await pool.fetchval(
            "select coalesce(max(seq), 0) from fold_cursor"
            " where name = 'fold' and stream_created = $1",
            log_created,
        )
    )


async def progress_of(pool: Pool, run: str) -> Progress | None:
    """The folded counters of a run; None before its first event is folded."""
    row = await pool.fetchrow(
        "select v.epoch, v.accepted + v.rejected + v.failed as settled, v.opened, v.closed, v.blocked_reason,"
        " v.blocked_detail, v.floor_paused_at, d.distinct3, d.window_size, d.accepted as counted"
        " from run_view v left join run_distribution d on d.run = v.run where v.run = $1",
        run,
    )
    if row is None:
        return None
    lately = Lately(
        row["distinct3"], row["window_size"] or 0, row["counted"] or 0, row["floor_paused_at"]
    )
    return Progress(
        row["epoch"],
        row["settled"],
        row["opened"],
        row["closed"],
        row["blocked_reason"],
        row["blocked_detail"],
        lately,
    )


async def judges_of(pool: Pool, run: str) -> list[Answers]:
    """The last answers of each judge of a run since it was last resumed."""
    rows = await pool.fetch(
        "select h.judge, h.recent, h.recent_pairs, v.resumed_seq from judge_health h"
        " join run_view v on v.run = h.run where h.run = $1 order by h.judge",
        run,
    )
    return [
        Answers.after(
            row["resumed_seq"],
            row["judge"],
            orjson.loads(row["recent"]),
            orjson.loads(row["recent_pairs"]),
        )
        for row in rows
    ]


async def due_threads(pool: Pool, run: str, epoch: int, at: datetime, most: int) -> Due:
    """Threads that wait for a decision, and threads whose request was made under an older control epoch."""
    rows = await pool.fetch(
        # The position beside the rows, in one statement: a limit must never cut it off.
        "with due as (select seq, state from thread where run = $1 and phase = 'due'"
        " and (not_before is null or not_before <= $3)"
        " union all select seq, state from thread where run = $1 and phase = 'waiting' and epoch < $2"
        " order by seq limit $4)"
        " select c.seq as position, due.state from fold_cursor c left join due on true"
        " where c.name = 'fold' order by due.seq",
        run,
        epoch,
        at,
        most,
    )
    position = max((row["position"] for row in rows), default=0)
    states = [
        STATE.validate_python(orjson.loads(row["state"]))
        for row in rows
        if row["state"] is not None
    ]
    return Due(position, tuple(states))


async def stalled_threads(pool: Pool, run: str, before: datetime, most: int) -> list[ThreadState]:
    """Threads that wait since before that time although nobody holds a call of theirs."""
    rows = await pool.fetch(
        "select t.state from thread t where t.run = $1 and t.phase = 'waiting' and t.at < $2"
        " and not exists (select from model_call m where m.run = t.run and m.thread = t.thread"
        " and m.state = 'started') order by t.seq limit $3",
        run,
        before,
        most,
    )
    return [STATE.validate_python(orjson.loads(row["state"])) for row in rows]


async def open_thread_count(c: Connection, run: str) -> int:
    """Threads with a step that waits for its outcome."""
    return int(
        await c.fetchval("select count(*) from thread where run = $1 and phase = 'waiting'", run)
    )
