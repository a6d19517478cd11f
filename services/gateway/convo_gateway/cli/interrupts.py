"""Ctrl-C while a process of a session of its own is started: held back, so that the new process is never lost."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["held_interrupts", "wait_for"]

POLL_S = 0.1


@contextmanager
def held_interrupts() -> Iterator[list[int]]:
    """The signals SIGINT that came meanwhile; none of them raises KeyboardInterrupt by itself."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)


def wait_for(
    child: subprocess.Popen[bytes],
    interrupts: list[int],
    *,
    passed_on: signal.Signals,
    ready: Callable[[], bool] = lambda: False,
) -> int | None:
    """Exit code of a child; None as soon as it is ready and runs on.

    Raises:
        KeyboardInterrupt: there was one; the child got the signal that is passed on, and has ended.
    """
    while (code := child.poll()) is None:
        if interrupts:
            child.send_signal(passed_on)
            child.wait()
            raise KeyboardInterrupt
        if ready():
            return None
        time.sleep(POLL_S)
    if interrupts:
        raise KeyboardInterrupt
    return code
