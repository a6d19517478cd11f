"""Reservations against a run's cap: a call's worst case is reserved before it starts and given back when it ends.

Belongs to the ledger and runs inside its transactions. Runs without a cap have no row.
"""

from collections.abc import Collection, Mapping

from convo_events.store import Connection
from convo_models.claims import Budget, Work


async def lock(c: Connection, runs: Collection[str]) -> dict[str, Budget]:
    """The budgets of capped runs, held for this transaction."""
    if not runs:
        return {}
    rows = await c.fetch(
        "select run, cap_micro, spent_micro, reserved_micro from run_budget where run = any($1)"
        " order by run for update",
        sorted(runs),
    )
    return {
        row["run"]: Budget(row["cap_micro"], row["spent_micro"], row["reserved_micro"])
        for row in rows
    }


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


async def set_cap(c: Connection, run: str, cap_micro: int) -> None:
    """Give a run a cap, or another cap."""
    await c.execute(
        "insert into run_budget (run, cap_micro) values ($1, $2)"
        " on conflict (run) do update set cap_micro = excluded.cap_micro",
        run,
        cap_micro,
    )
