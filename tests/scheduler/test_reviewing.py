"""Reviews on a real table: said once, in order, and never forgotten."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from convo_events.commands import Reply, Review, ReviewRun
from convo_events.reviews import ConversationReviewed, Opinion
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_scheduler import rows
from convo_scheduler.commands import Commands
from tests.databases import migrated
from tests.scheduler.parts import MemoryLog, parts_on

pytestmark = [pytest.mark.anyio, pytest.mark.connected]


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        await pool.execute(
            "insert into conversation (id, run, thread, number, status, reason, also, detail, criteria, persona, voice,"
            " planned_turns, turns, words, preview, cost_micro, unknown_calls, created_at, seq)"
            " select 'run-a.0.' || n, 'run-a', 0, n, 'accepted', '', '[]', '', '[]', 'p', 'v', 2, 2, 9, '', 0, 0,"
            " now(), n from generate_series(0, 9) n"
        )
        yield pool


async def leading(pool: Pool, log: MemoryLog) -> Commands:
    commands = Commands(parts_on(pool, log))
    async with pool.acquire() as c:
        commands.leader = await rows.take_lead(c, "scheduler-1/1")
    return commands


def flag(reviewer: str, *numbers: int, seen: int = 0, reason: str = "") -> ReviewRun:
    opinion = Opinion(decision="flagged", reason=reason)
    reviews = tuple(Review(thread=0, conversation=n, seen=seen, opinion=opinion) for n in numbers)
    return ReviewRun(run="run-a", reviewer=reviewer, reviews=reviews)


def versions(reply: Reply) -> list[tuple[int, str]]:
    return [(review.version, review.code) for review in reply.reviews]


async def test_two_people_at_once_never_lose_a_change(pool: Pool) -> None:
    log = MemoryLog()
    commands = await leading(pool, log)

    replies = await asyncio.gather(
        *(commands.handle(flag(f"person-{n}", *range(10))) for n in range(8))
    )

    assert [code for reply in replies for _, code in versions(reply)].count("") == 10
    assert {version for reply in replies for version, _ in versions(reply)} == {1}
    assert len(log.events) == 10
    assert len({e.conversation for e in log.events if isinstance(e, ConversationReviewed)}) == 10


async def test_what_nats_did_not_take_is_said_by_the_next_leader_before_anything_newer(
    pool: Pool,
) -> None:
    log = MemoryLog(away=True)
    assert (await (await leading(pool, log)).handle(flag("ana", 0))).code == "unavailable"

    log.away = False
    commands = await leading(pool, log)
    await commands.say_pending()
    assert [event.type for event in log.events] == ["conversation.reviewed"]

    assert versions(await commands.handle(flag("ana", 0))) == [(1, "")]
    assert versions(await commands.handle(flag("ben", 0, seen=1))) == [(2, "")]
    assert [event.version for event in log.events if isinstance(event, ConversationReviewed)] == [
        1,
        2,
    ]
    assert await pool.fetchval("select count(*) from review_head where pending <> '{}'") == 0


async def test_a_deposed_leader_takes_nothing(pool: Pool) -> None:
    log = MemoryLog()
    deposed = await leading(pool, log)
    await leading(pool, log)

    assert (await deposed.handle(flag("ana", 0))).code == "unavailable"
    assert log.events == []
