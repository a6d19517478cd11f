"""Fixtures for all tests: the servers that `connected` tests stand on, and the marks."""

import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer  # type: ignore[import-untyped]  # the package carries no types
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from convo_gateway.stack.infrastructure import Infrastructure
from tests.journeys.shared import shared_stack, story

__all__ = ["shared_stack", "story"]

# An example is right or wrong, and never too slow: a machine may stall at any of them.
settings.register_profile(
    "patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")


@contextmanager
def short_folder() -> Iterator[Path]:
    """A folder outside of pytest's own, whose paths are too long for a socket and closed."""
    folder = Path(tempfile.mkdtemp(prefix="convo-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long fault tests too")


def pytest_configure() -> None:
    """Hear Ctrl-C: a shell starts jobs in the background with it ignored, and every child would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What uses the servers is `connected`; what is `soak` waits for --soak."""
    wait = pytest.mark.skip(reason="long: needs --soak")
    for item in items:
        if "infrastructure" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.connected)
        if item.get_closest_marker("soak") and not config.getoption("--soak"):
            item.add_marker(wait)


class _Together(LoadScopeScheduling):  # type: ignore[misc]  # as above
    """What stays in one process: tests that share a stack, tests that share pages and the usual port, else a file."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0].removeprefix("tests/")
        if path.startswith(("browser/", "gateway/cli/", "gateway/stack/", "architecture/")):
            return "pages"
        return "journeys" if path.startswith("journeys/") else path


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _Together:
    """Share tests out over the processes of ``-n``."""
    return _Together(config, log)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def stack_home() -> Iterator[Path]:
    """A new data folder for a stack: a short path that another account may pass through."""
    with short_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def infrastructure() -> Iterator[Infrastructure]:
    """NATS and Postgres with nothing in them, started for the first test that asks.

    Use `create_database` for tables of your own. Streams are shared by the session: a test that
    needs them makes them as `migrator` and removes them.
    """
    with short_folder() as folder, Infrastructure(folder) as running:
        yield running
