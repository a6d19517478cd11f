"""Servers that are away at start and in mid-run, and a stand-by that takes over."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import PATIENCE_S, Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected
SERVICES = ("scheduler", "generator", "judge", "filters", "projector")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _port_of_nobody() -> Iterator[int]:
    """A port that refuses everybody, and that nobody else can take meanwhile: bound, and not listened on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


@contextmanager
def _service(name: str, env: dict[str, str], said: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A service process; a file takes what it says, since a pipe that nobody reads would stop it when it is full."""
    with said.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", f"convo_{name}"], env=os.environ | env, stderr=output
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _readiness(port: int) -> tuple[int, dict[str, str]]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=60) as answer:
            return answer.status, orjson.loads(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, orjson.loads(error.read())
    except OSError:
        return 0, {}


async def _until_said(port: int, words: str) -> tuple[int, dict[str, str]]:
    deadline = time.monotonic() + PATIENCE_S
    said: dict[str, str] = {}
    while time.monotonic() < deadline:
        code, said = await asyncio.to_thread(_readiness, port)
        if words in said.get("for", ""):
            return code, said
        await asyncio.sleep(0.1)
    raise AssertionError(f"/readyz never said {words!r}, the last was {said}")


@pytest.mark.parametrize("service", ["scheduler", "generator"])
def test_a_service_without_its_servers_waits_and_says_for_what(
    service: str, tmp_path: Path
) -> None:
    port, words = _free_port(), tmp_path / "said"
    with _port_of_nobody() as nowhere:
        env = {
            "CONVO_NATS_URL": f"nats://127.0.0.1:{nowhere}",
            "CONVO_DATABASE_URL": f"postgresql://convo@127.0.0.1:{nowhere}/convo",
            "CONVO_SERVICE_PORT": str(port),
            "CONVO_INSTANCE": service,
        }
        with _service(service, env, words) as process:
            code, said = asyncio.run(_until_said(port, "PostgreSQL is not reachable"))
            assert code == 503
            assert said["status"] == "waiting"
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
            assert "Traceback" not in words.read_text()


def test_a_missing_setting_is_named_and_nothing_else_is_said() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "convo_judge"],
        env={"PATH": os.environ["PATH"], "CONVO_NATS_URL": "nats://127.0.0.1:1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert process.returncode == 1
    assert "CONVO_DATABASE_URL" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize("server", ["postgres", "nats"])
def test_I9_I10_a_server_dies_in_mid_run_and_the_run_ends_all_the_same(
    story: Story,
    server: str,
) -> None:
    async def dies(p: Pipeline) -> None:
        run, frozen = f"run-without-{server}", snapshot(60, threads=16, concurrency=16)
        p.provider.program(latency=0.1)
        await p.start(run, frozen)
        await p.until(run, lambda view: view["generated"] >= 5)
        await p.stack.restart(server, signal.SIGKILL)
        view = await p.ended(run)
        assert view["status"] == "completed"
        await check_all(p, run, frozen)
        assert p.provider.stats().repeated_after_ok == {}

    story(dies)


def test_34_a_stand_by_scheduler_takes_over_when_the_leader_dies(
    story: Story, tmp_path: Path
) -> None:
    async def takes_over(p: Pipeline) -> None:
        run, frozen = "run-standby", snapshot(40, threads=8, concurrency=8)
        p.provider.program(latency=0.1)
        env = p.stack.env("scheduler") | {
            "CONVO_INSTANCE": "scheduler-standby",
            "CONVO_SERVICE_PORT": "0",
        }
        with _service("scheduler", env, tmp_path / "said"):
            await p.start(run, frozen)
            await p.until(run, lambda view: view["generated"] >= 3)
            p.stack.kill("scheduler", signal.SIGKILL)
            view = await p.ended(run)
            assert view["status"] == "completed"
            await check_all(p, run, frozen)
            leaders = await p.one("select count(*) from event where type = 'leader.elected'")
            assert leaders >= 2

    story(takes_over)


def test_I13_the_key_is_in_no_store_log_or_event(story: Story) -> None:
    async def looked_for(p: Pipeline) -> None:
        run, frozen = "run-canary", snapshot(4, threads=2, concurrency=2)
        p.provider.program(api_key="not this one")
        await p.start(run, frozen)
        await p.until(run, lambda view: view["status"] == "paused")
        await p.pool.execute("checkpoint")
        found = [str(path) for path in _files(p.home) if b"k-test" in _bytes(path)]
        assert found == []

    story(looked_for)


def _files(folder: Path) -> Iterator[Path]:
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield path


def _bytes(path: Path) -> bytes:
    """What is in a file; nothing where its server has removed it since it was listed."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
