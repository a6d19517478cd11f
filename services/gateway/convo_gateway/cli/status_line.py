"""How far a wait is, on standard error: one line that changes on a terminal, a line now and then elsewhere."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from convo_gateway.cli.render import clean, error_console

__all__ = ["StatusLine"]

EVERY_S = 10.0
"""Without a terminal, a line is written this often."""


class StatusLine:
    """A line about what goes on. Use it as a context manager."""

    def __init__(self, console: Console | None = None) -> None:
        """Take the console; standard error unless told otherwise."""
        self._console = console or error_console()
        self._live = (
            Live(
                console=self._console,
                refresh_per_second=4,
                redirect_stdout=False,
                transient=True,
            )
            if self._console.is_terminal
            else None
        )
        self._said_at = time.monotonic()

    def __enter__(self) -> Self:
        """Begin to draw."""
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the line away."""
        if self._live:
            self._live.stop()

    def show(self, line: str) -> None:
        """Say how far it is now."""
        text = Text(clean(line))
        if self._live:
            self._live.update(text)
        elif time.monotonic() - self._said_at >= EVERY_S:
            self._said_at = time.monotonic()
            self._console.print(text)
