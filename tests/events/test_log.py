"""The log on a real NATS: batches are whole and in order, and a reader misses nothing."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext

from convo_events.codec import Undecodable
from convo_events.errors import Unavailable
from convo_events.log import (
    MOST_BYTES_IN_BATCH,
    MOST_IN_BATCH,
    Letter,
    LogPublisher,
    _cut,
    letter,
    log_state,
    read_ordered,
    stored_letter,
)
from convo_events.streams import create_streams, log_config
from convo_events.subjects import LOG_STREAM, subject_of
from convo_gateway.stack.infrastructure import Infrastructure
from tests.events.examples import ENVELOPE, EXAMPLES

pytestmark = [pytest.mark.anyio, pytest.mark.connected]


def letters(start: int, count: int, subject: str = "out") -> list[Letter]:
    return [Letter(f"convo.ev.{subject}.run-l.0", b"%d" % n) for n in range(start, start + count)]


async def read(client: Client, after: int, until: int) -> list[tuple[int, int]]:
    """(sequence, number in the body) of everything behind ``after`` up to ``until``."""
    found: list[tuple[int, int]] = []
    async with asyncio.timeout(300), aclosing(read_ordered(client, after, idle_s=0.5)) as reader:
        async for batch in reader:
            found += [(m.metadata.sequence.stream, int(m.data)) for m in batch]
            if found and found[-1][0] >= until:
                return found
    raise AssertionError("the reader ended")


async def test_a_batch_is_stored_whole_and_in_order(
    client: Client, publisher: LogPublisher, end: int
) -> None:
    last = await publisher.append(letters(0, 40))

    assert last == end + 40
    assert await read(client, end, last) == [(end + 1 + n, n) for n in range(40)]


async def test_every_appender_hears_its_own_last_sequence(
    client: Client, publisher: LogPublisher, end: int
) -> None:
    sizes = [1, 3, 1, 7, 250, 2, 1, 300, 5]
    groups = [letters(1_000 * n, size) for n, size in enumerate(sizes)]

    lasts = await asyncio.gather(*map(publisher.append, groups))

    stored = dict(await read(client, end, max(lasts)))
    for group, last in zip(groups, lasts, strict=True):
        first = last - len(group) + 1
        assert [stored[seq] for seq in range(first, last + 1)] == [int(item.body) for item in group]
    assert len(stored) == sum(sizes)


async def test_nothing_to_append_asks_nobody(publisher: LogPublisher) -> None:
    assert await publisher.append([]) == 0


def test_a_group_is_never_cut() -> None:
    groups = [tuple(letters(0, size)) for size in (300, 300, 1, 600, 2)]
    batches = _cut(groups)

    assert [sizes for _, sizes in batches] == [[300], [300, 1], [600], [2]]
    assert [len(batch) for batch, _ in batches] == [300, 301, 600, 2]
    assert MOST_IN_BATCH < 600


def test_a_batch_has_a_largest_weight() -> None:
    heavy = Letter("convo.ev.out.run-l.0", b"x" * (MOST_BYTES_IN_BATCH // 2))
    assert [sizes for _, sizes in _cut([(heavy,), (heavy,), (heavy,)])] == [[1, 1], [1]]


@pytest.mark.parametrize("count", [1, 5])
async def test_i9_a_full_log_refuses_loudly_and_drops_nothing(
    client: Client, js: JetStreamContext, end: int, count: int
) -> None:
    await js.update_stream(log_config().evolve(max_bytes=1))
    hasty = LogPublisher(client, patience_s=0.3)
    try:
        with pytest.raises(Unavailable, match="NATS did not take"):
            await hasty.append(letters(0, count))
        assert (await log_state(client)).last == end
        patient = asyncio.create_task(
            LogPublisher(client, patience_s=120).append(letters(0, count))
        )
    finally:
        await create_streams(client)

    assert await patient == end + count
    assert await read(client, end, end + count) == [(end + 1 + n, n) for n in range(count)]


async def test_i9_readers_and_writers_live_through_a_killed_server(
    log_server: Infrastructure, client: Client, publisher: LogPublisher, end: int
) -> None:
    begun = asyncio.Event()
    done = 0

    async def write() -> int:
        nonlocal done
        for n in range(120):
            last = await publisher.append(letters(n, 1))
            done = n
            if n == 20:
                begun.set()
        return last

    writing = asyncio.create_task(write())
    reading = asyncio.create_task(read(client, end, end + 120))
    await begun.wait()
    await asyncio.to_thread(log_server.restart, "nats", signal.SIGKILL)
    last = await writing

    found = await reading
    found += await read(client, found[-1][0], last) if found[-1][0] < last else []
    assert [seq for seq, _ in found] == list(range(end + 1, last + 1))
    # What was stored before its answer got lost is stored again, and known by its id.
    assert list(dict.fromkeys(n for _, n in found)) == list(range(120))
    assert done == 119


async def test_a_reader_starts_anywhere_and_says_when_it_is_idle(
    client: Client, publisher: LogPublisher, end: int
) -> None:
    last = await publisher.append(letters(0, 10))
    reader: AsyncGenerator[list[Msg], None] = read_ordered(client, last - 2, batch=1, idle_s=0.2)
    found: list[list[int]] = []
    async with asyncio.timeout(120), aclosing(reader):
        # It may be idle before the first one, too: a slow server takes longer than that to begin.
        while sum(map(len, found)) < 2 or found[-1]:
            batch = [m.metadata.sequence.stream for m in await anext(reader)]
            if found or batch:
                found.append(batch)

    assert [batch for batch in found if batch] == [[last - 1], [last]]
    assert found[-1] == []


async def test_what_the_log_itself_lost_is_passed_over(
    client: Client, js: JetStreamContext, publisher: LogPublisher
) -> None:
    """A damaged block; here the server is told to forget, in a stream of the same name made for it."""
    await js.delete_stream(LOG_STREAM)
    await js.add_stream(log_config().evolve(deny_delete=False))
    try:
        await publisher.append(letters(0, 10))
        for seq in (1, 5, 6):
            await js.delete_msg(LOG_STREAM, seq)
        assert [seq for seq, _ in await read(client, 0, 10)] == [2, 3, 4, 7, 8, 9, 10]
        assert [seq for seq, _ in await read(client, 5, 10)] == [7, 8, 9, 10]
    finally:
        await js.delete_stream(LOG_STREAM)
        await create_streams(client)


async def test_a_log_that_is_made_anew_is_another_log(client: Client, js: JetStreamContext) -> None:
    before = await log_state(client)
    await js.delete_stream(LOG_STREAM)
    with pytest.raises(Unavailable):
        await log_state(client)
    await create_streams(client)

    after = await log_state(client)
    assert after.created != before.created
    assert after.last == 0


def test_a_stored_letter_is_published_byte_for_byte() -> None:
    for event in EXAMPLES:
        first = letter(ENVELOPE, event)
        again = stored_letter(first.body.decode())
        assert again == first
        assert again.subject == subject_of(event)
    with pytest.raises(Undecodable):
        stored_letter("{}")
