"""A stack with fake services: it comes up, heals, and goes without a trace."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from convo_gateway.cli.up import down, parse_workers
from convo_gateway.stack.errors import StackError
from convo_gateway.stack.home import Home
from convo_gateway.stack.plan import Plan
from convo_gateway.stack.probe import answers
from convo_gateway.stack.stack import Stack
from tests.gateway.stack.run_stack import fake_plan

pytestmark = [pytest.mark.anyio, pytest.mark.connected]

RUN = Path(__file__).with_name("run_stack.py")
ROOT = Path(__file__).parents[3]
PATIENCE_S = 120.0
"""How long a test waits for what has to come: far longer than it takes on a slow machine that stalls."""


async def until(condition: Callable[[], bool], within_s: float = PATIENCE_S) -> None:
    async with asyncio.timeout(within_s):
        while not condition():
            await asyncio.sleep(0.02)


def run_process(home: Path, log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        return subprocess.Popen(
            (sys.executable, str(RUN), str(home)),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=output,
            stderr=output,
        )


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def alive(pids: dict[str, int]) -> dict[str, int]:
    return {name: pid for name, pid in pids.items() if lives(pid)}


def family(pid: int) -> dict[str, int]:
    children = psutil.Process(pid).children(recursive=True)
    return {f"{child.name()} {child.pid}": child.pid for child in children}


async def test_everything_comes_up_is_found_and_goes(stack_home: Path) -> None:
    said: list[str] = []
    async with Stack(stack_home, fake_plan(), environ={}, report=said.append) as stack:
        facts = json.loads((stack_home / "stack.json").read_text())
        pids = stack.pids()
        assert facts["gateway_url"] == stack.gateway_url
        assert facts["pids"] == pids
        assert list(pids) == [
            *("nats", "postgres", "projector", "filters-1", "generator-1", "generator-2"),
            *("judge-1", "scheduler", "gateway"),
        ]
        assert await answers(f"{stack.gateway_url}/readyz")
        assert (stack_home / "secrets").stat().st_mode & 0o777 == 0o700
        passwords = [stack.home.password(name) for name in ("gateway", "migrator", "database")]
        assert not any(word in str(facts) + str(said) for word in passwords)
        assert (stack_home / "secrets" / "gateway.password").stat().st_mode & 0o777 == 0o600
    assert alive(pids) == {}
    assert not (stack_home / "stack.json").exists()


async def test_a_killed_service_and_killed_servers_come_back(stack_home: Path) -> None:
    async with Stack(stack_home, fake_plan(), environ={}) as stack:
        before = stack.pids()
        os.kill(before["generator-2"], signal.SIGKILL)
        await until(lambda: stack.pids().get("generator-2", 0) not in (0, before["generator-2"]))
        await stack.restart_nats()
        await stack.restart("postgres", signal.SIGKILL)
        after = stack.pids()
        changed = {name for name in before if before[name] != after[name]}
        assert changed == {"generator-2", "nats", "postgres"}
        log = stack_home / "logs" / "generator-2.log"
        await until(lambda: "generator-2 incarnation 2" in log.read_text())
    incarnations = Home(stack_home).read_numbers(stack_home / "incarnations.json")
    assert incarnations["generator-2"] == 2
    assert incarnations["generator-1"] == 1


async def test_killing_the_supervisor_leaves_nothing(stack_home: Path, tmp_path: Path) -> None:
    process = run_process(stack_home, tmp_path / "log")
    await until((stack_home / "stack.json").exists)
    # With the processes that Postgres starts by itself.
    pids = family(process.pid)
    assert len(pids) > len(json.loads((stack_home / "stack.json").read_text())["pids"])
    process.kill()
    process.wait()
    await until(lambda: alive(pids) == {})
    # The data survive, and the folder can be taken again.
    async with Stack(stack_home, Plan(services=()), environ={}) as stack:
        assert set(stack.pids()) == {"nats", "postgres"}


async def test_a_second_stack_is_told_who_holds_the_folder(
    stack_home: Path, tmp_path: Path
) -> None:
    process = run_process(stack_home, tmp_path / "log")
    await until((stack_home / "stack.json").exists)
    pids = family(process.pid)
    # Processes that Postgres starts for a moment come and go; those of the stack stay.
    own = json.loads((stack_home / "stack.json").read_text())["pids"]
    with pytest.raises(StackError, match=f"process {process.pid}") as refused:
        await Stack(stack_home, fake_plan(), environ={}).__aenter__()
    assert refused.value.exit_code == 4
    assert alive(own) == own
    await asyncio.to_thread(down, stack_home, timeout=PATIENCE_S)
    assert process.wait(PATIENCE_S) == 0
    assert alive(own) == {}
    await until(lambda: alive(pids) == {})
    words = (tmp_path / "log").read_text().splitlines()
    assert words[-1] == "stopped"


async def test_a_taken_port_is_named_when_it_was_asked_for(stack_home: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(StackError, match=rf"Port {port} is taken by .*{os.getpid()}") as error:
            await Stack(stack_home, fake_plan(port=port), environ={}).__aenter__()
    assert error.value.exit_code == 2
    assert "--port" in error.value.advice


async def test_a_migration_that_fails_stops_the_start(stack_home: Path) -> None:
    words = "import sys; sys.exit('the schema is newer than this program')"
    commands = {"migrate": (sys.executable, "-c", words)}
    with pytest.raises(StackError, match="the schema is newer than this program"):
        await Stack(stack_home, fake_plan(commands=commands), environ={}).__aenter__()
    assert Home(stack_home).read_stack() == {}


async def test_data_of_another_version_are_refused(stack_home: Path) -> None:
    (stack_home / "postgres" / "data").mkdir(parents=True)
    (stack_home / "postgres" / "data" / "PG_VERSION").write_text("14\n")
    with pytest.raises(StackError, match="PostgreSQL 14; this convo brings 18"):
        await Stack(stack_home, Plan(services=()), environ={}).__aenter__()


async def test_a_deep_folder_is_reached_over_loopback(stack_home: Path) -> None:
    deep = stack_home / ("d" * 60) / ("e" * 60)
    stack_home.chmod(0o755)
    async with Stack(deep, Plan(services=()), environ={}) as stack:
        assert "127.0.0.1" in stack.database_url


def test_workers_are_read_and_nonsense_is_named() -> None:
    assert parse_workers("generator=4, judge=0") == {"generator": 4, "judge": 0, "filters": 1}
    for text in ("gateway=2", "generator", "generator=-1", "judge=65", "judge=1=2"):
        with pytest.raises(StackError, match="--workers") as error:
            parse_workers(text)
        assert error.value.exit_code == 2


def test_a_stop_goes_the_other_way_round() -> None:
    assert fake_plan().stop_order() == [
        ["gateway"],
        ["scheduler"],
        ["filters-1", "generator-1", "generator-2", "judge-1"],
        ["projector"],
    ]
