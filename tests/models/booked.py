"""A ledger for tests: runs in the control table, work, settlements, and what the tables say."""

from collections.abc import Sequence

from convo_events import ids
from convo_events.codec import encode
from convo_events.envelope import Envelope
from convo_events.outcomes import StepFailed
from convo_events.store import Pool
from convo_events.usage import Call
from convo_models.budgets import set_cap
from convo_models.claim import ClaimToken
from convo_models.claims import Answer, Granted, Work
from convo_models.ledger import Ledger
from convo_models.ledger_rows import Ending, Settlement

RUN = "run-a"


async def plan(pool: Pool, run: str = RUN, *, cap_micro: int | None = None) -> None:
    """A running run at epoch 1."""
    async with pool.acquire() as c:
        await c.execute(
            "insert into run_control (run, status, epoch, snapshot, target, lanes)"
            " values ($1, 'running', 1, 's', 10, 1)",
            run,
        )
        if cap_micro is not None:
            await set_cap(c, run, cap_micro)


def work(
    step: int = 1,
    *,
    run: str = RUN,
    emit: int = 1,
    epoch: int = 1,
    worst_micro: int | None = 100,
    deadline_s: float = 20,
) -> Work:
    """The work of one step of thread 0."""
    return Work(
        step_key=ids.step_key(run, 0, step, "s", "i"),
        run=run,
        thread=0,
        conversation=0,
        step=step,
        emit=emit,
        epoch=epoch,
        role="assistant",
        backend="fake",
        model="writer",
        worst_micro=worst_micro,
        deadline_s=deadline_s,
    )


async def granted(ledger: Ledger, wanted: Work) -> ClaimToken:
    """The claim of work that nothing speaks against."""
    answer = await ledger.claim(wanted)
    assert isinstance(answer, Granted), answer
    return answer.token


def tokens(answers: Sequence[Answer]) -> list[ClaimToken]:
    """The claims that were granted."""
    return [answer.token for answer in answers if isinstance(answer, Granted)]


def settlement(
    wanted: Work,
    token: ClaimToken,
    ending: Ending = "finished",
    *,
    cost_micro: int | None = 30,
    error: str | None = None,
) -> Settlement:
    """An ending of a call, with an outcome that is a real event."""
    call = Call(
        role=wanted.role,
        backend=wanted.backend,
        model=wanted.model,
        attempt=token.attempt,
        step_key=wanted.step_key,
        cost_micro=cost_micro,
        basis="unpriced" if cost_micro is None else "exact",
        error=error,
    )
    event = StepFailed(
        run=wanted.run,
        thread=wanted.thread,
        conversation=wanted.conversation,
        step=wanted.step,
        reason="malformed_output",
        detail="",
        retryable=True,
        call=call,
    )
    event_id = ids.outcome_id(wanted.run, wanted.thread, wanted.step, token.attempt)
    body = encode(Envelope(event_id, "2026-03-01T12:00:00Z", "test-1"), event).decode()
    return Settlement(token, ending, call, event_id, body)


async def budget(pool: Pool, run: str = RUN) -> tuple[int, int]:
    """(spent, reserved) micro-dollars of a run with a cap."""
    row = await pool.fetchrow("select * from run_budget where run = $1", run)
    assert row is not None
    return row["spent_micro"], row["reserved_micro"]


async def attempts(pool: Pool, run: str = RUN) -> list[tuple[int, int, str, int | None]]:
    """(step, attempt, state, cost) of every attempt of a run, in order."""
    rows = await pool.fetch(
        "select step, attempt, state, cost_micro from model_attempt where run = $1"
        " order by step, attempt",
        run,
    )
    return [(r["step"], r["attempt"], r["state"], r["cost_micro"]) for r in rows]


async def expire(pool: Pool) -> None:
    """Let every lease run out."""
    await pool.execute(
        "update model_call set lease_until = clock_timestamp() - interval '1 second'"
        " where state = 'started'"
    )
