"""The call ledger: claim before a call, settle with its answer, so that nothing is paid twice and nothing paid is lost.

Concurrent claims and settles of one process share a transaction. Times are the database's. Everyone locks in the same
order, so that nobody waits in a circle: the run's control row, the budgets of capped runs, the calls, their attempts.
"""

import time
from collections.abc import Sequence

from convo_events.coalesce import Coalescer
from convo_events.store import Pool, outage_named
from convo_models import budgets, ledger_rows
from convo_models.claim import ClaimToken
from convo_models.claims import Answer, Booked, Granted, Held, Refusal, Work, refusal
from convo_models.ledger_rows import Grant, Settlement

LINGER_S = 0.003
"""How long a busy process waits for company before it claims or settles."""


class Ledger:
    """Claims and settles for one worker process."""

    def __init__(self, pool: Pool, owner: str) -> None:
        """Take the pool and the name under which leases are held: slot and incarnation."""
        self._pool = pool
        self._owner = owner
        self._claims: Coalescer[Work, Answer] = Coalescer(
            self._claim_group, most=200, linger_s=LINGER_S
        )
        self._settles: Coalescer[Settlement, bool] = Coalescer(
            self._settle_group, most=200, linger_s=LINGER_S
        )

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
            await budgets.lock_of_calls(c, [token.step_key])
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
            await budgets.spend(c, {row["run"]: (0, int(row["reserved_micro"]))})

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
            runs = {work.run for work in works}
            controls = await ledger_rows.controls(connection, runs)
            left = await budgets.lock(connection, runs)
            booked = await ledger_rows.booked(connection, sorted({work.place for work in works}))
            answers: list[Answer] = []
            grants: list[Grant] = []
            for work in works:
                found = booked.get(work.place)
                said: Refusal | None = refusal(
                    work, controls.get(work.run), found, left.get(work.run)
                )
                if said is not None:
                    answers.append(said)
                    continue
                attempt = (found.attempts if found else 0) + 1
                key = found.step_key if found else work.step_key
                booked[work.place] = Booked("started", attempt, work.emit, True, None, key)
                grants.append(Grant(work, key, attempt, capped=work.run in left))
                budgets.reserve(left, work)
                token = ClaimToken(key, attempt, attempt, granted_at, work.deadline_s)
                answers.append(Granted(token))
            taken = await ledger_rows.book(connection, grants, self._owner)
            for grant in grants:
                if grant.step_key not in taken:
                    budgets.reserve(left, grant.work, -1)
            await budgets.save(connection, left)
        return [_or_held(answer, taken) for answer in answers]

    async def _settle_group(self, settlements: Sequence[Settlement]) -> list[bool]:
        async with outage_named(), self._pool.acquire() as connection:
            return await ledger_rows.settle(connection, settlements, self._owner)


def _or_held(answer: Answer, taken: set[str]) -> Answer:
    if isinstance(answer, Granted) and answer.token.step_key not in taken:
        return Held()
    return answer
