"""The embedded Postgres: made once, run as a part, reached over a socket in the data folder.

Postgres refuses to run as root. As root we run it under a system account of its own, which owns
the folder of the data; otherwise under our own account.
"""

import os
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

import asyncpg
import psutil

from convo_gateway.stack.account import open_way, own, postgres_account
from convo_gateway.stack.binaries import major_version, postgres_programs
from convo_gateway.stack.errors import StackError, tail
from convo_gateway.stack.home import DATABASE, Home
from convo_gateway.stack.processes import Account, launch
from convo_gateway.stack.supervisor import Part

__all__ = ["POSTGRES", "Address", "make_cluster", "make_database", "postgres_part"]

POSTGRES = "postgres"
SOCKET_PATH_BYTES = 107
"""Longest path of a Unix socket. Source: unix(7), sun_path has 108 bytes with the final zero."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the embedded Postgres listens: a folder for its socket, or loopback if None."""

    port: int
    folder: Path | None

    @classmethod
    def below(cls, home: Home, port: int) -> "Address":
        """A socket in the data folder, or loopback if its path would be too long."""
        folder = home.postgres / "run"
        socket = folder / f".s.PGSQL.{port}"
        short = len(os.fsencode(socket)) <= SOCKET_PATH_BYTES
        # A comma or an "@" has a meaning of its own in the setting for socket folders.
        plain = not any(letter in str(folder) for letter in ',@"')
        return cls(port, folder if short and plain else None)

    def url(self, database: str = "convo", password: str = "") -> str:
        """URL of a database, with the password in it only if one is given."""
        user = f"convo:{quote(password, safe='')}" if password else "convo"
        if self.folder is None:
            return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"
        where = urlencode({"host": str(self.folder), "port": self.port})
        return f"postgresql://{user}@/{database}?{where}"


def postgres_part(home: Home, address: Address) -> Part:
    """The server of a data folder that `make_cluster` has made."""
    account = postgres_account(_data(home))
    url = address.url("postgres", home.password(DATABASE))
    listen = "" if address.folder else "127.0.0.1"
    settings = {
        "listen_addresses": listen,
        "port": str(address.port),
        "unix_socket_directories": f'"{address.folder}"' if address.folder else "",
        "unix_socket_permissions": "0700",
        "max_connections": "200",
        "fsync": "on",
        "synchronous_commit": "on",
        "full_page_writes": "on",
        "password_encryption": "scram-sha-256",
        "log_destination": "stderr",
        "logging_collector": "off",
        "log_line_prefix": "%m [%p] ",
        "timezone": "UTC",
    }
    arguments = [flag for key, value in settings.items() for flag in ("-c", f"{key}={value}")]

    async def ready() -> bool:
        return await _accepts(url)

    return Part(
        name=POSTGRES,
        command=(
            str(postgres_programs(home.postgres, account) / "postgres"),
            "-D",
            str(_data(home)),
            *arguments,
        ),
        environ=_environ(),
        log=home.log(POSTGRES),
        ready=ready,
        ready_within_s=120.0,
        grace_s=30.0,
        stop_signal=signal.SIGINT,  # fast: ends the sessions, then a checkpoint
        death_signal=signal.SIGQUIT,  # immediate: recovers at the next start
        account=account,
    )


async def make_cluster(home: Home, address: Address) -> None:
    """Make the data once; tidy up after a crash.

    Raises:
        StackError: the data are of another version, or Postgres cannot make or read them.
    """
    account = postgres_account(_data(home))
    programs = postgres_programs(home.postgres, account)
    own(home.postgres, account)
    home.postgres.chmod(0o700)
    open_way(home.root, home.postgres, account)
    if address.folder is not None:
        address.folder.mkdir(mode=0o700, exist_ok=True)
        own(address.folder, account)
    if _data(home).exists():
        _check_version(home, programs)
        _forget_dead_server(home)
        return
    draft = home.postgres / "data.new"
    if draft.exists():
        shutil.rmtree(draft)
    await _initialise(home, programs, draft, account)
    draft.rename(_data(home))


async def make_database(address: Address, password: str, name: str) -> None:
    """Create a database unless it exists.

    Raises:
        StackError: the disk is full.
        asyncpg.PostgresError: Postgres refuses.
    """
    connection = await asyncpg.connect(address.url("postgres", password))
    try:
        if not await connection.fetchval("select 1 from pg_database where datname = $1", name):
            quoted = name.replace('"', '""')
            await connection.execute(f'create database "{quoted}"')
    except asyncpg.DiskFullError:
        raise StackError(
            "The disk of the data folder is full.",
            advice="Make room and start again: nothing that was acknowledged is lost.",
        ) from None
    finally:
        await connection.close()


async def _initialise(home: Home, programs: Path, folder: Path, account: Account | None) -> None:
    """Run initdb with our password and a locale that is the same everywhere."""
    password = home.postgres / "password"
    password.unlink(missing_ok=True)
    password.touch(mode=0o600)
    password.write_text(home.password(DATABASE))
    own(password, account)
    try:
        child = await launch(
            (
                *(str(programs / "initdb"), "-D", str(folder), "--username=convo"),
                *("--encoding=UTF8", "--locale=C"),
                *("--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
                *("--auth=scram-sha-256", f"--pwfile={password}"),
            ),
            environ=_environ(),
            log=home.log("initdb"),
            account=account,
        )
        code = await child.wait()
    finally:
        password.unlink(missing_ok=True)
    if code != 0:
        raise StackError(
            f"Postgres could not make its data in {home.postgres} (initdb, exit code {code}).",
            log=tail(home.logs / "initdb.log"),
            advice="Choose another data folder with --home DIR, or set CONVO_DATABASE_URL.",
        )


def _check_version(home: Home, programs: Path) -> None:
    have = (_data(home) / "PG_VERSION").read_text().strip()
    runs = major_version(programs)
    if have != runs:
        raise StackError(
            f"The data in {_data(home)} are of PostgreSQL {have}; this convo brings {runs}.",
            advice=(
                f"Start them once with a convo that brings PostgreSQL {have} and take a pg_dump,"
                " or use another data folder with --home DIR."
            ),
        )


def _forget_dead_server(home: Home) -> None:
    """Remove the pid file of a server that is gone, when its number is somebody else's by now.

    Postgres does this itself unless the number is in use again.
    """
    file = _data(home) / "postmaster.pid"
    try:
        pid = int(file.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return
    try:
        mine = psutil.Process(pid).name().startswith("postgres")
    except psutil.Error:
        mine = False
    if mine:
        raise StackError(
            f"A Postgres (process {pid}) already runs on {_data(home)}.",
            advice=f"Stop it with: kill -INT {pid}",
            exit_code=4,
        )
    file.unlink(missing_ok=True)


async def _accepts(url: str) -> bool:
    try:
        connection = await asyncpg.connect(url, timeout=2.0)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return False
    await connection.close()
    return True


def _data(home: Home) -> Path:
    return home.postgres / "data"


def _environ() -> dict[str, str]:
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
