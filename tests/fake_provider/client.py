"""Starts a fake provider for a test, programs it and reads its log.

    with FakeProvider.start() as provider:
        provider.program(Rule(action=RateLimited("date", seconds=2), times=3), latency=0.1)
        ...
        assert not provider.stats().repeated_after_ok

Every method is a short blocking call on loopback. From a running event loop, use `AsyncFakeProvider`.
"""

import asyncio
import http.client
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

import orjson

from tests.fake_provider.log import Call, Stats
from tests.fake_provider.rules import PROGRAM, Latency, Program, Rule

_ROOT = Path(__file__).resolve().parents[2]


class Settings(TypedDict, total=False):
    """The settings of a Program beside its rules."""

    seed: int
    latency: Latency
    api_key: str | None
    models: tuple[str, ...] | None
    accept_share: float
    keep_bodies: int


class ProviderRefused(Exception):
    """The provider did not take a program or another control request; says why."""


@dataclass(frozen=True, slots=True)
class FakeProvider:
    """One provider, its process (None when it was started elsewhere) and its address."""

    port: int
    process: subprocess.Popen[bytes] | None = None
    host: str = "127.0.0.1"

    @classmethod
    def start(cls, log: Path | None = None, port: int = 0) -> Self:
        """A running provider on a free loopback port (or the given one)."""
        command = [sys.executable, "-m", "tests.fake_provider", "--port", str(port)]
        command.append("--end-with-stdin")
        if log is not None:
            command += ["--log", str(log.resolve())]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=_ROOT, stdin=pipe, stdout=pipe)
        assert process.stdout is not None
        with process.stdout:
            line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the fake provider ended at once, with code {process.wait()}")
        return cls(orjson.loads(line)["port"], process)

    def stop(self) -> None:
        """End the process; harmless when it has ended."""
        if self.process is None:
            return
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def base_url(self) -> str:
        """What an OpenAI client takes as base URL."""
        return f"http://{self.host}:{self.port}/v1"

    def program(self, *rules: Rule, **settings: Unpack[Settings]) -> None:
        """Replace rules and settings; their counts start anew.

        Raises:
            ProviderRefused: a rule makes no sense.
        """
        self._control("POST", "/_program", PROGRAM.dump_json(Program(rules=rules, **settings)))

    def reset(self, keep_program: bool = False) -> None:
        """Forget calls and counts, and the program too unless it is kept (its counts start anew)."""
        self._control("POST", "/_reset?keep_program=1" if keep_program else "/_reset")

    def calls(self, after: int = 0) -> list[Call]:
        """All calls with a greater sequence number, in order of arrival."""
        calls: list[Call] = []
        while True:
            page = self._control("GET", f"/_log?after={after}")
            calls += [Call(**fields) for fields in page["calls"]]
            after = page["next"]
            if not page["more"]:
                return calls

    def stats(self) -> Stats:
        """Counts since the start or the last reset."""
        return Stats(**self._control("GET", "/_stats"))

    def requests_by_key(self) -> dict[str, int]:
        """Requests of every Idempotency-Key."""
        return dict(self._control("GET", "/_keys"))

    def bodies(self) -> dict[int, str]:
        """Sequence number -> request body, of the latest `keep_bodies` requests."""
        return {int(seq): body for seq, body in self._control("GET", "/_bodies").items()}

    def until(self, holds: Callable[[Stats], bool], timeout_s: float = 120.0) -> Stats:
        """The first counts for which the condition holds.

        Raises:
            TimeoutError: it did not hold in time; shows the last counts.
        """
        deadline = time.monotonic() + timeout_s
        while not holds(stats := self.stats()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"the provider did not get there in {timeout_s} s: {stats}")
            time.sleep(0.005)
        return stats

    def _control(self, method: str, path: str, body: bytes = b"") -> Any:  # JSON of many shapes
        connection = http.client.HTTPConnection(self.host, self.port, timeout=120)
        with closing(connection):
            connection.request(method, path, body)
            response = connection.getresponse()
            answer = orjson.loads(response.read())
        if response.status != 200:
            raise ProviderRefused(answer["error"])
        return answer


class AsyncFakeProvider:
    """The same calls for coroutines, each in a thread so that the loop keeps turning."""

    def __init__(self, provider: FakeProvider) -> None:
        self.provider = provider
        self.base_url = provider.base_url

    async def program(self, *rules: Rule, **settings: Unpack[Settings]) -> None:
        """See FakeProvider.program."""
        await asyncio.to_thread(lambda: self.provider.program(*rules, **settings))

    async def reset(self, keep_program: bool = False) -> None:
        """See FakeProvider.reset."""
        await asyncio.to_thread(self.provider.reset, keep_program)

    async def calls(self, after: int = 0) -> list[Call]:
        """See FakeProvider.calls."""
        return await asyncio.to_thread(self.provider.calls, after)

    async def stats(self) -> Stats:
        """See FakeProvider.stats."""
        return await asyncio.to_thread(self.provider.stats)

    async def until(self, holds: Callable[[Stats], bool], timeout_s: float = 120.0) -> Stats:
        """See FakeProvider.until."""
        return await asyncio.to_thread(self.provider.until, holds, timeout_s)
