"""Many requests, few flushes: order, errors, and callers that go away."""

import asyncio
from collections.abc import Sequence

import pytest

from convo_events.coalesce import Coalescer

pytestmark = pytest.mark.anyio


class Counter:
    """Doubles numbers; holds each flush until it is let go."""

    def __init__(self, *, open_gate: bool = True) -> None:
        self.flushes: list[list[int]] = []
        self.entered = asyncio.Event()
        self.gate = asyncio.Event()
        if open_gate:
            self.gate.set()

    async def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.flushes.append(list(numbers))
        self.entered.set()
        await self.gate.wait()
        if -1 in numbers:
            raise RuntimeError("unlucky")
        return [2 * number for number in numbers]


async def test_requests_of_one_moment_share_a_flush() -> None:
    counter = Counter()
    groups = Coalescer(counter)

    assert await asyncio.gather(*map(groups.ask, range(50))) == [2 * n for n in range(50)]
    assert counter.flushes == [list(range(50))]


async def test_what_comes_meanwhile_goes_together_and_in_order() -> None:
    counter = Counter(open_gate=False)
    groups = Coalescer(counter)
    first = asyncio.create_task(groups.ask(1))
    await counter.entered.wait()
    later = [asyncio.create_task(groups.ask(n)) for n in (5, 3, 4)]
    await asyncio.sleep(0)
    counter.gate.set()

    assert await asyncio.gather(first, *later) == [2, 10, 6, 8]
    assert counter.flushes == [[1], [5, 3, 4]]


async def test_a_group_has_a_largest_size() -> None:
    counter = Counter()
    groups = Coalescer(counter, most=20)

    assert await asyncio.gather(*map(groups.ask, range(50, 100))) == list(range(100, 200, 2))
    assert [len(flush) for flush in counter.flushes] == [20, 20, 10]


async def test_every_caller_of_a_group_hears_the_error_and_the_next_group_is_served() -> None:
    groups = Coalescer(Counter())

    said = await asyncio.gather(*map(groups.ask, (1, -1, 2)), return_exceptions=True)

    assert [str(error) for error in said] == ["unlucky"] * 3
    assert await groups.ask(15) == 30


async def test_a_caller_that_goes_away_harms_nobody() -> None:
    counter = Counter(open_gate=False)
    groups = Coalescer(counter)
    callers = [asyncio.create_task(groups.ask(n)) for n in (1, 2, 3)]
    await counter.entered.wait()
    waiting = asyncio.create_task(groups.ask(4))
    await asyncio.sleep(0)
    callers[1].cancel()
    waiting.cancel()
    counter.gate.set()

    assert await callers[0] == 2
    assert await callers[2] == 6
    assert callers[1].cancelled()
    assert waiting.cancelled()
    assert await groups.ask(5) == 10


async def test_too_few_answers_are_an_error_and_not_a_hang() -> None:
    async def forgetful(numbers: Sequence[int]) -> list[int]:
        return [0] * (len(numbers) - 1)

    groups = Coalescer(forgetful)
    for _ in range(2):
        said = await asyncio.gather(*map(groups.ask, (1, 2)), return_exceptions=True)
        assert [type(error) for error in said] == [ValueError, ValueError]


async def test_a_flush_that_is_cancelled_leaves_nobody_waiting() -> None:
    async def cancelled(numbers: Sequence[int]) -> list[int]:
        raise asyncio.CancelledError

    groups = Coalescer(cancelled)
    for number in (1, 2):
        with pytest.raises(asyncio.CancelledError):
            await groups.ask(number)
