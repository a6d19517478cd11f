"""What the doctor finds on a sick machine and on a healthy one."""

import socket
from pathlib import Path

import pytest

from convo_gateway.cli.doctor import examine
from convo_gateway.stack.findings import Finding, Level
from convo_gateway.stack.home import Home, Lock
from convo_gateway.stack.infrastructure import Infrastructure
from convo_gateway.stack.machine_checks import check_machine
from convo_gateway.stack.ports import Ports

pytestmark = pytest.mark.anyio


def by_check(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.check: finding for finding in findings}


def test_a_fresh_folder_is_fine(tmp_path: Path) -> None:
    port = Ports({}).port("gateway")
    found = check_machine(Home(tmp_path / "new"), port, free_bytes=lambda folder: 10**12)
    assert [one.check for one in found if one.level is Level.PROBLEM] == []
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("free", "level"), [(10**8 - 1, Level.PROBLEM), (10**9 - 1, Level.NOTE), (10**9, Level.GOOD)]
)
def test_a_full_disk(tmp_path: Path, free: int, level: Level) -> None:
    found = by_check(check_machine(Home(tmp_path), 1, free_bytes=lambda folder: free))
    assert found["disk"].level is level


def test_a_taken_port_says_by_whom(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        found = by_check(check_machine(Home(tmp_path), other.getsockname()[1]))
    assert found["port"].level is Level.PROBLEM
    assert "process" in found["port"].what
    assert "--port" in found["port"].advice


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = by_check(check_machine(Home(tmp_path / "file"), 1))
    assert found["home"].level is Level.PROBLEM


def test_a_lock_without_a_stack_and_data_of_another_version(tmp_path: Path) -> None:
    home = Home(tmp_path)
    lock = Lock(home)
    lock.take()
    (home.postgres / "data").mkdir(parents=True)
    (home.postgres / "data" / "PG_VERSION").write_text("13\n")
    found = by_check(check_machine(home, 1))
    lock.release()
    assert found["lock"].level is Level.NOTE
    assert found["data"].level is Level.PROBLEM
    assert Lock(home).holder() is None


async def test_servers_that_are_down(tmp_path: Path) -> None:
    dead = Ports({}).port("dead")
    environ = {
        "CONVO_NATS_URL": f"nats://127.0.0.1:{dead}",
        "CONVO_NATS_MONITOR_URL": f"http://127.0.0.1:{dead}",
        "CONVO_NATS_USER": "",
        "CONVO_DATABASE_URL": f"postgresql://convo:hidden-word@127.0.0.1:{dead}/convo",
    }
    home = Home(tmp_path)
    home.prepare()
    found = await examine(home, dead, environ)
    wrong = {one.check for one in found if one.level is Level.PROBLEM}
    assert {"nats-sync", "nats-log", "postgres"} <= wrong
    assert "hidden-word" not in str(found)


async def test_an_empty_database_and_a_server_that_syncs(
    infrastructure: Infrastructure, tmp_path: Path
) -> None:
    environ = infrastructure.env("gateway", database_url=infrastructure.create_database())
    found = by_check(await examine(Home(tmp_path), 1, environ))
    assert found["nats-sync"].level is Level.GOOD
    assert found["postgres"].level is Level.GOOD
    assert found["schema"].level is Level.PROBLEM
    assert "version 0" in found["schema"].what
