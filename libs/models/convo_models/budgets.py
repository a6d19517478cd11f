"""Reservations against a run's cap: a call's worst case is reserved before it starts and given back when it ends.

Belongs to the ledger and runs inside its transactions. A run without a cap has a row of which nothing is kept up but
what calls from a time with a cap still hold.
"""

from collections.abc import Collection, Mapping

from convo_events.store import Connection
from convo_models.claims import Budget, Work


async def lock(c: Connection, runs: Collection[str]) -> dict[str, Budget]:
    """The budgets of those runs that have a cap, held for this transaction.

    A statement of its own, after the control rows are held: what was read before may be older than the cap.
    """
    rows = await c.fetch(
        "select run, cap_micro, spent_micro, reserved_micro from run_budget"
        " where run = any($1) and cap_micro is not null order by run for update",
        sorted(runs),
    )
    return {
        row["run"]: Budget(row["cap_micro"], row["spent_micro"], row["reserved_micro"])
        for row in rows
    }


async def lock_of_calls(c: Connection, step_keys: Collection[str]) -> None:
    """Hold the budgets of the capped runs that these calls belong to, before the calls themselves are locked."""
    await c.execute(
        "select from run_budget b where b.cap_micro is not null"
        " and b.run in (select m.run from model_call m where m.step_key = any($1))"
        " order by b.run for update",
        list(step_keys),
    )


def reserve(budgets: dict[str, Budget], work: Work, sign: int = 1) -> None:
    """Reserve the worst case of a call, or with -1 give it back, in the budgets held."""
    budget = budgets.get(work.run)
    if budget is not None:
        reserved = budget.reserved_micro + sign * (work.worst_micro or 0)
        budgets[work.run] = Budget(budget.cap_micro, budget.spent_micro, reserved)


async def save(c: Connection, budgets: Mapping[str, Budget]) -> None:
    """Write what is reserved."""
    if budgets:
        await c.executemany(
            "update run_budget set reserved_micro = $2 where run = $1",
            [(run, budget.reserved_micro) for run, budget in budgets.items()],
        )


async def spend(c: Connection, spent: Mapping[str, tuple[int, int]]) -> None:
    """Move (spent, released) micro-dollars of each run."""
    runs = sorted(spent)
    if runs:
        await c.execute(
            "update run_budget b set spent_micro = b.spent_micro + x.cost,"
            " reserved_micro = b.reserved_micro - x.released"
            " from unnest($1::text[], $2::bigint[], $3::bigint[]) as x (run, cost, released)"
            " where b.run = x.run",
            runs,
            [spent[run][0] for run in runs],
            [spent[run][1] for run in runs],
        )


async def standing(c: Connection, run: str) -> tuple[int | None, int]:
    """(cap, spent) micro-dollars of a run; no cap is None, and what it spent counts from its first call."""
    cap = await c.fetchval("select cap_micro from run_budget where run = $1", run)
    return cap, await _booked(c, run)


async def set_cap(c: Connection, run: str, cap_micro: int | None) -> None:
    """Give a run a cap, another one, or none. The caller holds the run's control row, so nothing is claimed meanwhile.

    Calls under way that were claimed without a reservation get one now: what they may cost counts against the new cap.
    While they are locked no call of the run settles: each is counted among the ended or among the open ones.
    """
    await c.execute("select from run_budget where run = $1 for update", run)
    await c.execute(
        "select from model_call where run = $1 and state = 'started'"
        " order by run, thread, step for update",
        run,
    )
    if cap_micro is not None:
        await c.execute(
            "update model_call m set reserved_micro = coalesce(a.worst_micro, 0) from model_attempt a"
            " where m.run = $1 and m.state = 'started'"
            " and a.step_key = m.step_key and a.attempt = m.attempts",
            run,
        )
    await c.execute(
        "insert into run_budget (run, cap_micro, spent_micro, reserved_micro)"
        " select $1, $2, $3, coalesce(sum(reserved_micro), 0) from model_call"
        " where run = $1 and state = 'started'"
        " on conflict (run) do update set cap_micro = excluded.cap_micro,"
        " spent_micro = excluded.spent_micro, reserved_micro = excluded.reserved_micro",
        run,
        cap_micro,
        await _booked(c, run),
    )


async def _booked(c: Connection, run: str) -> int:
    """Micro-dollars of all calls that have ended, unknown ones at their worst case."""
    return int(
        await c.fetchval(
            "select coalesce(sum(cost_micro), 0) from model_attempt where run = $1", run
        )
    )
