"""One child process: started in a session of its own, tied to our life, stopped with its group."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Account", "Child", "launch"]

LAUNCHER = Path(__file__).with_name("launch.py")


@dataclass(frozen=True, slots=True)
class Account:
    """System account that a process runs under."""

    uid: int
    gid: int


class Child:
    """A running process and everything it started in its session."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid

    async def wait(self) -> int:
        """Exit code once it has ended; minus the signal if one ended it. Sweeps its group."""
        code = await self._process.wait()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        return code

    def signal(self, number: int) -> None:
        """Send a signal to the process alone; without effect once it has ended."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)


async def launch(
    command: Sequence[str],
    *,
    environ: Mapping[str, str],
    log: Path,
    death_signal: int = signal.SIGKILL,
    account: Account | None = None,
) -> Child:
    """Start a program whose output goes to the end of a log file.

    Args:
        command: absolute path of the program, then its arguments.
        environ: its whole environment.
        log: file for standard output and standard error.
        death_signal: what it gets when our thread ends for whatever reason (Linux only), so call
            this from a thread that lives as long as the child should.
        account: account to run under, from the root folder; needs root. None for our own.
    """
    uid, gid = (str(account.uid), str(account.gid)) if account else ("-", "-")
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-I", "-S", str(LAUNCHER)),
            *(str(int(death_signal)), str(os.getpid()), uid, gid),
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            env=dict(environ),
            cwd="/" if account else None,
            start_new_session=True,
        )
    finally:
        os.close(descriptor)
    return Child(process)
