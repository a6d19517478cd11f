"""The least there is: the same calls from one plain asyncio, aiohttp and uvloop script, which stores nothing.

Run as a process of its own, ``python -m tests.bench.floor``; it reads its orders from standard input and writes what it
measured to standard output, both JSON.
"""

import asyncio
import resource
import sys
import time
from dataclasses import dataclass
from typing import Any, TypedDict

import aiohttp
import orjson
import uvloop


class Orders(TypedDict):
    """What to do."""

    url: str
    conversations: int
    in_flight: int
    templates: list[dict[str, Any]]
    """Recorded request bodies of one conversation: the user's turn, the assistant's, the judge's."""


class Measured(TypedDict):
    """How it went."""

    wall_s: float
    cpu_s: float
    peak_mib: float
    scored: int


@dataclass(frozen=True, slots=True)
class Caller:
    """One session and the recorded bodies."""

    session: aiohttp.ClientSession
    url: str
    templates: list[dict[str, Any]]

    async def converse(self, number: int) -> bool:
        """Make one conversation; whether the judge gave a score."""
        user, assistant, judge = self.templates
        said = await self._call(number, 1, with_last(user, f"conversation {number}"))
        heard = await self._call(number, 2, with_last(assistant, said))
        score = await self._call(number, 3, with_last(judge, f"{said}\n{heard}"))
        return "scores" in score or "criteria" in score or "{" in score

    async def _call(self, number: int, step: int, body: dict[str, Any]) -> str:
        headers = {
            "Content-Type": "application/json",
            "Authorization": "Bearer k-test",
            "Idempotency-Key": f"floor-{number}-{step}-{time.monotonic_ns():020d}",
        }
        async with self.session.post(
            self.url, data=orjson.dumps(body), headers=headers
        ) as response:
            answer = orjson.loads(await response.read())
        return str(answer["choices"][0]["message"]["content"])


def with_last(template: dict[str, Any], text: str) -> dict[str, Any]:
    """The body with another last message of the length that was recorded."""
    *before, last = template["messages"]
    length = len(last["content"])
    content = text[:length].ljust(length, ".")
    return {**template, "messages": [*before, {**last, "content": content}]}


async def measure(orders: Orders) -> Measured:
    """Make all conversations, so many at once."""
    numbers = iter(range(orders["conversations"]))
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        caller = Caller(session, orders["url"], orders["templates"])

        async def lane() -> int:
            return sum([await caller.converse(number) for number in numbers])

        before, began = _cpu_s(), time.monotonic()
        scored = await asyncio.gather(*(lane() for _ in range(orders["in_flight"])))
        wall_s, cpu_s = time.monotonic() - began, _cpu_s() - before
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(wall_s=wall_s, cpu_s=cpu_s, peak_mib=peak_mib, scored=sum(scored))


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.stdout.buffer.write(
        orjson.dumps(uvloop.run(measure(orjson.loads(sys.stdin.buffer.read()))))
    )
