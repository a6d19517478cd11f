"""Watching a run: it follows, comes back by itself, and never touches the run."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.gateway.cli.conftest import Convo
from tests.gateway.cli.world import World


@pytest.fixture
def run(online: World, convo: Convo) -> str:
    """A run of four that is going."""
    return str(convo("run", "start", "cheap", "--json").document["id"])


@contextmanager
def meanwhile(work: Callable[[], None]) -> Iterator[None]:
    """Do the work beside what the block does."""
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def watching(world: World, run: str, *more: str) -> subprocess.Popen[str]:
    """`convo run watch` as a process, once it follows the run over the websocket."""
    return subprocess.Popen(
        (sys.executable, "-m", "convo_gateway.cli.main", "run", "watch", run, *more),
        env={**os.environ, "CONVO_GATEWAY_URL": world.url, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def next_state(process: subprocess.Popen[str]) -> dict[str, object]:
    assert process.stdout is not None
    state = json.loads(process.stdout.readline())
    assert isinstance(state, dict)
    return state


def test_it_follows_a_run_to_its_end_and_says_whether_it_went_well(
    online: World, run: str, convo: Convo
) -> None:
    process = watching(online, run, "--json")
    assert next_state(process)["accepted"] == 0
    online.set(run, generated=2, accepted=2)
    while next_state(process)["accepted"] != 2:
        pass
    online.set(run, generated=4, accepted=4, status="completed")
    out, err = process.communicate(timeout=120)

    assert process.returncode == 0, err
    assert json.loads(out.splitlines()[-1])["status"] == "completed"
    ended = convo("run", "watch", run)
    assert ended.code == 0
    assert "Accepted 4   Rejected 0   Failed 0" in ended.out


def test_failures_are_told_by_the_exit_code(online: World, run: str, convo: Convo) -> None:
    online.set(run, accepted=3, failed=1, status="completed")

    assert convo("run", "watch", run).code == 1


def test_it_comes_back_when_the_gateway_does(online: World, run: str) -> None:
    process = watching(online, run, "--json")
    next_state(process)
    online.stop_gateway()
    assert process.stderr is not None
    assert "cannot be reached" in process.stderr.readline()
    online.start_gateway()
    online.set(run, accepted=4, status="completed")
    out, err = process.communicate(timeout=120)

    assert process.returncode == 0, err
    assert json.loads(out.splitlines()[-1])["accepted"] == 4


def test_ctrl_c_ends_the_watch_and_not_the_run(online: World, run: str) -> None:
    process = watching(online, run, "--json")
    next_state(process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)

    assert process.returncode == 130
    assert f"Run {run} goes on" in err
    assert "Traceback" not in err
    assert online.status(run) == "running"


def test_a_watch_with_a_deadline_times_out(online: World, run: str, convo: Convo) -> None:
    said = convo("run", "watch", run, "--timeout", "0.2")

    assert said.code == 6
    assert f"convo run watch {run}" in said.err
    assert online.status(run) == "running"


def test_start_and_watch_in_one(online: World, convo: Convo) -> None:
    while not online.planned.empty():
        online.planned.get()

    def finish() -> None:
        online.set(online.planned.get(timeout=120), accepted=4, status="completed")

    with meanwhile(finish):
        said = convo("run", "start", "cheap", "--watch", "--json")

    first, *states = [json.loads(line) for line in said.out.splitlines()]
    assert said.code == 0
    assert first["id"] == states[-1]["id"]
    assert states[-1]["status"] == "completed"
