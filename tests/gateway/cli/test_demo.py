"""The demo, from nothing to an export, against an API that a fake provider plays."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from psutil import Process, process_iter

from convo_gateway.cli.demo import STATIC, how_to_see_it, scene_for, while_up
from convo_gateway.cli.exits import CommandError
from convo_gateway.shapes.runs import RunSummary
from convo_gateway.stack.home import Home, Lock
from convo_gateway.web_pages import STATIC as SERVED
from tests.gateway.cli.conftest import Convo

ROOT = Path(__file__).parents[3]


@pytest.fixture
def provider() -> Iterator[str]:
    """Address of a fake provider in a process of its own."""
    with subprocess.Popen(
        (sys.executable, "-m", "tests.fake_provider", "--end-with-stdin"),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        port = json.loads(process.stdout.readline())["port"]
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.stdin.close()
            process.wait()


@pytest.mark.connected
def test_it_starts_shows_exports_and_stops_again(
    provider: str, convo: Convo, stack_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", provider)
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")

    said = convo("demo", "--home", str(stack_home), "--count", "3", "--yes")

    assert said.code == 0, said.err
    (folder,) = (stack_home / "exports").iterdir()
    assert str(folder / "conversations.jsonl") in said.out
    assert json.loads((folder / "manifest.json").read_text())["target"] == 3
    for part in ("Accepted", "Rejected", "Failed", "Reject reasons", "http://127.0.0.1:"):
        assert part in said.out
    assert folder.name in said.out
    assert Lock(Home(stack_home)).holder() is None


@pytest.mark.connected
def test_ctrl_c_while_it_starts_leaves_nothing_behind(provider: str, stack_home: Path) -> None:
    api = {"OPENAI_BASE_URL": provider, "OPENAI_API_KEY": "not-a-real-key"}
    with subprocess.Popen(
        (sys.executable, "-m", "convo_gateway.cli.main", "demo", f"--home={stack_home}"),
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | api,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "Starting convo on this machine\n"
        os.killpg(process.pid, signal.SIGINT)
        said = process.stderr.read()

    assert process.returncode == 130, said
    assert Lock(Home(stack_home)).holder() is None
    until_none_is_left(stack_home)


def until_none_is_left(folder: Path) -> None:
    """Wait for the end of processes that were told to end with the one that has ended."""
    give_up = time.monotonic() + 120
    while left := [one for one in process_iter(["cmdline"]) if _names(one, folder)]:
        assert time.monotonic() < give_up, left
        time.sleep(0.05)


def _names(process: Process, folder: Path) -> bool:
    """Whether a process that runs has the folder among its arguments."""
    return any(str(folder) in part for part in process.info["cmdline"] or ())


def test_an_api_is_used_only_where_it_is_named_with_its_key() -> None:
    assert scene_for({}).local
    assert scene_for({"OPENAI_BASE_URL": "https://api.example"}).local
    assert not scene_for({"OPENAI_BASE_URL": "https://api.example", "OPENAI_API_KEY": "k"}).local


def test_it_does_not_wait_for_a_convo_that_went_down(tmp_path: Path) -> None:
    async def for_ever() -> RunSummary:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(CommandError, match="went down"):
        asyncio.run(while_up(Home(tmp_path), for_ever()))


def test_it_says_how_to_get_pages(tmp_path: Path) -> None:
    assert "make web" in how_to_see_it(tmp_path)
    (tmp_path / "index.html").write_text("<h1>convo</h1>")
    assert "make web" not in how_to_see_it(tmp_path)
    assert STATIC == SERVED
