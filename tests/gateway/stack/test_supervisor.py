"""Back-off and giving up, with a process that dies."""

import asyncio
import sys
from pathlib import Path
from random import Random

import pytest

from convo_gateway.stack.errors import StackError
from convo_gateway.stack.supervisor import Backoff, Part, Supervisor
from tests.gateway.stack.run_stack import FAKE

pytestmark = pytest.mark.anyio


def test_the_pause_doubles_up_to_its_limit() -> None:
    backoff = Backoff(first_s=0.5, longest_s=3.0)
    assert [backoff.pause_s(deaths, 1.0) for deaths in range(1, 6)] == [0.5, 1.0, 2.0, 3.0, 3.0]
    assert backoff.pause_s(1, 0.0) == 0.25


def part(log: Path, *arguments: str, ready: bool) -> Part:
    async def is_ready() -> bool:
        return ready

    environ = {"CONVO_INSTANCE": "judge-1", "CONVO_SERVICE_PORT": "0"}
    return Part("judge-1", (*FAKE, *arguments), environ, log, is_ready, ready_within_s=120.0)


async def test_a_part_that_keeps_dying_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    log = tmp_path / "judge-1.log"
    said: list[str] = []
    supervisor = Supervisor(
        {"judge-1": 7}, random=Random(1), backoff=Backoff(first_s=0.01), report=said.append
    )
    supervisor.start(part(log, "die", ready=False))
    with pytest.raises(StackError, match="the moon is missing") as given_up:
        await supervisor.wait_ready("judge-1")
    assert "ended 5 times" in given_up.value.what
    assert await supervisor.failure() is given_up.value
    assert len(said) == 4
    assert supervisor.incarnations == {"judge-1": 12}
    lives = [line for line in log.read_text().splitlines() if "incarnation" in line]
    assert lives == [f"judge-1 incarnation {number}" for number in range(8, 13)]
    await supervisor.stop(["judge-1"])


async def test_what_does_not_stop_is_killed_when_the_grace_is_over(tmp_path: Path) -> None:
    async def always() -> bool:
        return True

    deaf = "import signal,time; signal.signal(15, signal.SIG_IGN); print('up', flush=True);"
    command = (sys.executable, "-c", deaf + " time.sleep(600)")
    log = tmp_path / "log"
    supervisor = Supervisor({}, random=Random(1))
    supervisor.start(Part("deaf", command, {}, log, always, grace_s=600.0))
    async with asyncio.timeout(120):
        while not (log.exists() and "up" in log.read_text()):
            await asyncio.sleep(0.02)
        stopping = asyncio.create_task(supervisor.stop(["deaf"]))
        supervisor.hurry()
        await stopping
    assert supervisor.pids() == {}


async def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    supervisor = Supervisor({}, random=Random(1), backoff=Backoff(first_s=0.01))

    async def never() -> bool:
        return False

    # It is the launcher that finds out, so the words are in the log like any others.
    supervisor.start(Part("absent", ("/nowhere/x",), {}, tmp_path / "log", never))
    with pytest.raises(StackError, match="No such file"):
        await supervisor.wait_ready("absent")
    await supervisor.stop(["absent"])
