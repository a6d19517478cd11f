"""Checks of this machine: data folder, disk, port, programs, weights. They change nothing."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from convo_gateway.stack.binaries import major_version, postgres_programs
from convo_gateway.stack.errors import StackError
from convo_gateway.stack.findings import Finding, good, note, problem
from convo_gateway.stack.home import Home, Lock
from convo_gateway.stack.nats_server import nats_program
from convo_gateway.stack.plan import DEFAULT_PORT
from convo_gateway.stack.ports import holder_of, is_free
from convo_gateway.stack.weights import HOW_TO_INSTALL, find_weights

__all__ = ["check_machine"]

LOW_DISK_BYTES = 1_000_000_000
FULL_DISK_BYTES = 100_000_000


def check_machine(
    home: Home,
    port: int = DEFAULT_PORT,
    *,
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
) -> list[Finding]:
    """All findings about the machine.

    Args:
        home: data folder, which need not exist.
        port: port that the gateway shall have.
        free_bytes: free space of the disk that a folder is on.
    """
    return [
        _home(home),
        _lock(home),
        _disk(home, free_bytes),
        _port(home, port),
        _data_version(home),
        _programs(),
        _weights(),
    ]


def _home(home: Home) -> Finding:
    folder = _nearest(home.root)
    if not folder.is_dir():
        return problem(
            "home", f"{folder} is a file, not a folder.", "Choose a folder with --home DIR."
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return problem(
            "home",
            f"The data folder {home.root} cannot be written by this user.",
            "Choose another with --home DIR or CONVO_HOME, or change its owner.",
        )
    return good("home", f"The data folder {home.root} can be written.")


def _lock(home: Home) -> Finding:
    holder = Lock(home).holder()
    if holder is None:
        return good("lock", "No convo runs in the data folder.")
    if not home.read_stack():
        return note(
            "lock",
            f"Process {holder} holds the data folder but is not ready: it starts or stops.",
            f"Look at {home.logs}. If it stays like this: convo down --home {home.root}",
        )
    return good("lock", f"A convo runs in the data folder (process {holder}).")


def _disk(home: Home, free_bytes: Callable[[Path], int]) -> Finding:
    free = free_bytes(_nearest(home.root))
    what = f"{free / 1e9:.1f} GB are free on the disk of {home.root}."
    advice = "Make room: a full disk stops every run (nothing that was acknowledged is lost)."
    if free < FULL_DISK_BYTES:
        return problem("disk", what, advice)
    return note("disk", what, advice) if free < LOW_DISK_BYTES else good("disk", what)


def _port(home: Home, port: int) -> Finding:
    if is_free(port):
        return good("port", f"Port {port} is free.")
    if str(home.read_stack().get("gateway_url", "")).endswith(f":{port}"):
        return good("port", f"Port {port} is the gateway of this data folder.")
    return problem(
        "port",
        f"Port {port} is taken by {holder_of(port)}.",
        "Start with another: convo up --port N. Without --port a free one is taken.",
    )


def _data_version(home: Home) -> Finding:
    try:
        have = (home.postgres / "data" / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        return good("data", "There are no data of Postgres yet.")
    except OSError as error:
        return note("data", f"The data of Postgres cannot be read: {error.strerror}.")
    try:
        runs = major_version(postgres_programs(home.postgres, None))
    except StackError as error:
        return problem("data", error.what, error.advice)
    if have != runs:
        return problem(
            "data",
            f"The data are of PostgreSQL {have}; this convo brings {runs}.",
            f"Take a pg_dump with a convo that brings PostgreSQL {have}, or use another --home.",
        )
    return good("data", f"The data are of PostgreSQL {have}, as the programs are.")


def _programs() -> Finding:
    try:
        nats_program()
        postgres_programs(Path(), None)
    except StackError as error:
        return problem("programs", error.what, error.advice)
    return good("programs", "The programs of NATS and PostgreSQL are installed.")


def _weights() -> Finding:
    if found := find_weights():
        return good("weights", f"The local model has its weights ({found.name}).")
    return note("weights", "The local model has no weights; all else works.", HOW_TO_INSTALL)


def _nearest(folder: Path) -> Path:
    """The folder, or the first one above it that exists."""
    return next(one for one in (folder, *folder.parents) if one.exists())
