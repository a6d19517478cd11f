"""The data folder of a stack: where everything lies, who holds it, what outlives a restart."""

import fcntl
import json
import os
import secrets
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from convo_gateway.stack.errors import StackError
from convo_gateway.stack.permissions import USERS

__all__ = ["DEFAULT_HOME", "Home", "Lock", "write_atomically"]

DEFAULT_HOME = Path(".convo")
LOG_BYTES = 10_000_000
DATABASE = "database"


@dataclass(frozen=True, slots=True)
class Home:
    """Paths below the data folder. Nothing is made or read before a method is called."""

    root: Path

    @property
    def nats(self) -> Path:
        """Streams and configuration of the embedded NATS server."""
        return self.root / "nats"

    @property
    def postgres(self) -> Path:
        """Data and socket of the embedded Postgres."""
        return self.root / "postgres"

    @property
    def logs(self) -> Path:
        """One log a process."""
        return self.root / "logs"

    @property
    def export_files(self) -> Path:
        """Files of exports that the gateway made; it makes the folder."""
        return self.root / "export-files"

    @property
    def secrets(self) -> Path:
        """Passwords, one a file, readable by the owner alone."""
        return self.root / "secrets"

    @property
    def stack_file(self) -> Path:
        """Addresses and process ids of the running stack; there is none while it is down."""
        return self.root / "stack.json"

    @property
    def ports_file(self) -> Path:
        """Ports of the last run."""
        return self.root / "ports.json"

    @property
    def incarnations_file(self) -> Path:
        """How often each slot was started since the folder was made."""
        return self.root / "incarnations.json"

    def prepare(self) -> None:
        """Make the folders and the passwords that are not there yet.

        Raises:
            StackError: the folder cannot be written.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            for folder in (self.nats, self.postgres, self.logs):
                folder.mkdir(exist_ok=True)
            self.secrets.mkdir(mode=0o700, exist_ok=True)
            self.secrets.chmod(0o700)
            self.logs.chmod(0o700)
            self.nats.chmod(0o700)
            for name in (*USERS, DATABASE):
                _write_secret(self.password_file(name))
        except OSError as error:
            raise StackError(
                f"The data folder {self.root} cannot be used: {error.strerror}.",
                advice="Choose another with --home DIR or CONVO_HOME.",
            ) from error

    def password_file(self, name: str) -> Path:
        """File with the password of a NATS user, or of the database (`database`)."""
        return self.secrets / f"{name}.password"

    def password(self, name: str) -> str:
        """Password of a NATS user, or of the database (`database`)."""
        return self.password_file(name).read_text().strip()

    def passwords(self, names: Iterable[str]) -> dict[str, str]:
        """Password by name."""
        return {name: self.password(name) for name in names}

    def log(self, instance: str) -> Path:
        """Log of a process, moved to `.1` first if it has grown beyond 10 MB."""
        path = self.logs / f"{instance}.log"
        with suppress(FileNotFoundError):
            if path.stat().st_size > LOG_BYTES:
                path.replace(path.with_suffix(".log.1"))
        return path

    def read_numbers(self, file: Path) -> dict[str, int]:
        """Numbers by name of a small JSON file; empty if it is missing or damaged."""
        return {key: value for key, value in _read(file).items() if type(value) is int}

    def read_stack(self) -> dict[str, object]:
        """What `stack.json` says about the running stack; empty while it is down.

        A stack that was killed leaves its file behind, but not its lock.
        """
        return _read(self.stack_file) if Lock(self).holder() is not None else {}


class Lock:
    """The right to run a stack in a folder: held until closed, or until the process dies."""

    def __init__(self, home: Home) -> None:
        self._path = home.root / "lock"
        self._file: IO[str] | None = None

    def take(self) -> None:
        """Take the folder.

        Raises:
            StackError: another process holds it (exit code 4), or the folder cannot be written.
        """
        try:
            file = os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "r+")
        except OSError as error:
            raise StackError(
                f"The lock file {self._path} cannot be opened: {error.strerror}.",
                advice="Choose another data folder with --home DIR or CONVO_HOME.",
            ) from error
        if not _lock_soon(file):
            holder = file.read().strip() or "unknown"
            file.close()
            raise StackError(
                f"Another convo runs in {self._path.parent} (process {holder}).",
                advice=f"Stop it with: convo down --home {self._path.parent}",
                exit_code=4,
            )
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        self._file = file

    def release(self) -> None:
        """Give the folder back; without effect if it is not held."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def holder(self) -> int | None:
        """Process that holds the folder, 0 if it cannot be told, None if nobody does."""
        try:
            with self._path.open("r+") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    text = file.read().strip()
                    return int(text) if text.isdecimal() else 0
        except OSError:
            return None
        return None


def _lock_soon(file: IO[str]) -> bool:
    """Lock the file, with patience for those who only look whether it is locked."""
    for _ in range(10):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.02)
        else:
            return True
    return False


def write_atomically(file: Path, content: Mapping[str, object]) -> None:
    """Put a JSON file in place, whole or not at all, readable by the owner alone."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(content, indent=2) + "\n")
    draft.replace(file)


def _read(file: Path) -> dict[str, object]:
    try:
        found = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}


def _write_secret(file: Path) -> None:
    """Create a random password, 256 bits, unless there is one."""
    if file.exists() and file.stat().st_size > 0:
        return
    draft = file.with_name(f"{file.name}.new")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_urlsafe(32))
    draft.replace(file)
