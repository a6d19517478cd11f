"""NATS and Postgres alone, for programs that are not asynchronous, such as tests."""

import asyncio
import secrets
import threading
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from convo_gateway.stack.home import DATABASE
from convo_gateway.stack.plan import Plan
from convo_gateway.stack.postgres import make_database
from convo_gateway.stack.stack import Stack

__all__ = ["Infrastructure"]

T = TypeVar("T")


class Infrastructure:
    """NATS and Postgres in a data folder, up inside `with`.

    A thread of its own runs them, and they end with it, however this process ends.
    """

    def __init__(self, home: Path) -> None:
        self._stack = Stack(home, Plan(services=()), environ={})
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="infrastructure", daemon=True
        )

    def __enter__(self) -> Self:
        """Start both servers; they accept connections when this returns."""
        self._thread.start()
        try:
            self._run(self._stack.__aenter__())
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop both servers."""
        try:
            self._run(self._stack.stop())
        finally:
            self._close()

    @property
    def nats_url(self) -> str:
        """Address of NATS, without a user."""
        return self._stack.nats_url

    @property
    def monitor_url(self) -> str:
        """Address of NATS's monitoring."""
        return self._stack.monitor_url

    def env(self, service: str, *, database_url: str = "") -> dict[str, str]:
        """Environment of a process acting as the service, or as `migrator`.

        Args:
            service: name of the service.
            database_url: another database than the common one, from `create_database`; its
                password is in it, so no file is named.
        """
        found = self._stack.env(service)
        if database_url:
            found["CONVO_DATABASE_URL"] = database_url
            del found["CONVO_DATABASE_PASSWORD_FILE"]
        return found

    def nats_password(self, user: str) -> str:
        """Password of a NATS user."""
        return self._stack.home.password(user)

    def create_database(self) -> str:
        """URL, with the password in it, of a new and empty database."""
        name = f"test_{secrets.token_hex(6)}"
        password = self._stack.home.password(DATABASE)
        self._run(make_database(self._stack.address, password, name))
        return self._stack.address.url(name, password)

    def pids(self) -> dict[str, int]:
        """Process ids of `nats` and `postgres`."""
        return self._stack.pids()

    def kill(self, name: str, number: int) -> None:
        """Send a signal to `nats` or `postgres`; it is started again if it dies of it."""
        self._loop.call_soon_threadsafe(self._stack.kill, name, number)

    def restart(self, name: str, number: int) -> None:
        """End `nats` or `postgres` by a signal and wait until it accepts connections again."""
        self._run(self._stack.restart(name, number))

    def _run(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
