"""Commands on a real control table: said once, in order, and never forgotten."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from convo_events.commands import CapRun, ControlRun, Reply, StartRun
from convo_events.grants import SETTLE_S
from convo_events.runs import RunCapChanged
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_scheduler import rows
from convo_scheduler.commands import Commands
from convo_scheduler.run import Block, Finish
from tests.databases import migrated
from tests.scheduler.parts import MemoryLog, parts_on
from tests.scheduler.test_run import START

pytestmark = [pytest.mark.anyio, pytest.mark.connected]


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
async def commands(pool: Pool, log: MemoryLog) -> Commands:
    commands = Commands(parts_on(pool, log))
    async with pool.acquire() as c:
        commands.leader = await rows.take_lead(c, "scheduler-1/1")
    return commands


async def tell(commands: Commands, action: str) -> Reply:
    return await commands.handle(ControlRun.model_validate({"run": "run-a", "action": action}))


def types(log: MemoryLog) -> list[str]:
    return [event.type for event in log.events]


async def test_a_start_is_written_said_and_answered(
    pool: Pool, log: MemoryLog, commands: Commands
) -> None:
    reply = await commands.handle(START)

    assert (reply.code, reply.status, reply.epoch, reply.seq) == ("", "running", 1, 2)
    assert types(log) == ["run.planned", "run.started"]
    row = await pool.fetchrow("select * from run_control")
    assert row is not None
    assert (row["status"], row["epoch"], row["pending"]) == ("running", 1, [])
    assert await pool.fetchval("select cap_micro from run_budget") == 100


async def test_r03_a_start_twice_is_one_run(log: MemoryLog, commands: Commands) -> None:
    first, second = await asyncio.gather(commands.handle(START), commands.handle(START))

    assert first.status == second.status == "running"
    assert types(log) == ["run.planned", "run.started"]


async def test_i10_what_nats_did_not_take_is_said_with_the_next_try(
    pool: Pool, log: MemoryLog, commands: Commands
) -> None:
    log.away = True
    assert (await commands.handle(START)).code == "unavailable"
    assert len(await pool.fetchval("select pending from run_control")) == 2
    log.away = False

    reply = await commands.handle(START)

    assert (reply.code, reply.status, reply.seq) == ("", "running", 2)
    assert types(log) == ["run.planned", "run.started"]


async def test_a_later_command_forgets_no_earlier_one(log: MemoryLog, commands: Commands) -> None:
    await commands.handle(START)
    log.away = True
    assert (await tell(commands, "kick")).code == "unavailable"
    log.away = False
    await tell(commands, "pause")

    assert types(log)[2:] == ["run.kicked", "run.paused"]


async def test_a_new_leader_says_what_the_old_one_could_not(
    pool: Pool, log: MemoryLog, commands: Commands
) -> None:
    log.away = True
    await commands.handle(START)
    log.away = False
    heir = Commands(parts_on(pool, log))
    await heir.say_pending()
    await heir.say_pending()

    assert types(log) == ["run.planned", "run.started"]


async def test_a_deposed_leader_changes_nothing(
    pool: Pool, log: MemoryLog, commands: Commands
) -> None:
    await commands.handle(START)
    async with pool.acquire() as c:
        await rows.take_lead(c, "scheduler-2/1")

    reply = await tell(commands, "pause")

    assert (reply.code, await pool.fetchval("select status from run_control")) == (
        "unavailable",
        "running",
    )
    assert types(log) == ["run.planned", "run.started"]


async def test_refusals_are_answers(commands: Commands) -> None:
    assert (await tell(commands, "pause")).code == "not_found"
    await commands.handle(START)
    reply = await tell(commands, "cancel")
    assert (reply.code, reply.status) == ("", "cancelling")
    reply = await tell(commands, "resume")
    assert (reply.code, reply.status) == ("conflict", "cancelling")


async def test_i6_every_answer_to_a_pause_waits_until_old_grants_are_over(
    commands: Commands,
) -> None:
    await commands.handle(START)
    clock = asyncio.get_running_loop().time
    for _ in range(2):
        started = clock()
        assert (await tell(commands, "pause")).status == "paused"
        assert clock() - started >= SETTLE_S


async def test_what_the_scheduler_sees_is_told_once(log: MemoryLog, commands: Commands) -> None:
    await commands.handle(START)
    async with commands.lock("run-a"):
        for _ in range(2):
            control = await commands.tell("run-a", Block("backend_quota", "top up"))
            assert control is not None
            assert control.status == "paused"
        assert await commands.tell("run-b", Finish()) is None

    assert types(log)[2:] == ["run.paused"]


async def test_a_run_for_later_waits(log: MemoryLog, commands: Commands) -> None:
    later = StartRun.model_validate({**START.model_dump(), "not_before": "2999-01-01T00:00:00Z"})
    assert (await commands.handle(later)).status == "queued"
    assert types(log) == ["run.planned"]


async def test_a_run_for_later_can_be_started_now(log: MemoryLog, commands: Commands) -> None:
    later = StartRun.model_validate({**START.model_dump(), "not_before": "2999-01-01T00:00:00Z"})
    await commands.handle(later)
    assert (await tell(commands, "start")).status == "running"
    assert (await tell(commands, "start")).seq == 0, "it is started already"
    assert types(log) == ["run.planned", "run.started"]


async def cap(commands: Commands, micro: int | None) -> Reply:
    return await commands.handle(CapRun(run="run-a", spend_cap_micro=micro))


async def test_a_cap_is_raised_removed_and_given_again(
    pool: Pool, log: MemoryLog, commands: Commands
) -> None:
    await commands.handle(START)
    for micro in (900, None, 700, 700):
        reply = await cap(commands, micro)
        assert (reply.code, reply.status) == ("", "running")
        assert await pool.fetchval("select cap_micro from run_budget") == micro
    changed = [event for event in log.events if isinstance(event, RunCapChanged)]
    assert [event.spend_cap_micro for event in changed] == [900, None, 700], "nothing twice"
    assert [event.epoch for event in changed] == [2, 3, 4]


async def test_a_cap_below_what_is_spent_pauses_with_the_reason(
    pool: Pool, log: MemoryLog, commands: Commands
) -> None:
    await commands.handle(START)
    await pool.execute(
        "insert into model_attempt (step_key, attempt, run, thread, conversation, step, role, backend,"
        " model, state, cost_micro) values ('k', 1, 'run-a', 0, 0, 1, 'judge', 'b', 'm', 'finished', 80)"
    )
    reply = await cap(commands, 79)
    assert (reply.status, reply.epoch) == ("paused", 3)
    assert types(log)[2:] == ["run.cap_changed", "run.paused"]
    assert await pool.fetchval("select reason from run_control") == "spend_cap"
    assert await pool.fetchval("select spent_micro from run_budget") == 80
    assert (await cap(commands, 200)).status == "paused", "a person resumes it"
    assert (await tell(commands, "resume")).status == "running"


async def test_a_cap_of_an_ended_run_is_refused(commands: Commands) -> None:
    assert (await cap(commands, 1)).code == "not_found"
    await commands.handle(START)
    await tell(commands, "cancel")
    reply = await cap(commands, 1)
    assert (reply.code, reply.status) == ("conflict", "cancelling")
