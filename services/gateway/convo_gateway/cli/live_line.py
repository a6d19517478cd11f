"""A place on standard error that is drawn anew on a terminal; elsewhere lines are written now and then."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from convo_gateway.cli.render import error_console

__all__ = ["LiveLine"]

EVERY_S = 10.0
"""Without a terminal, a line is written this often."""


class LiveLine:
    """Shows how far something is. Use it as a context manager."""

    def __init__(self, console: Console | None = None, *, leaves_trace: bool) -> None:
        """Take the console, standard error unless told otherwise; whether what was drawn last stays in the end."""
        self._console = console or error_console()
        drawn = Live(
            console=self._console,
            refresh_per_second=4,
            redirect_stdout=False,
            transient=not leaves_trace,
        )
        self._live = drawn if self._console.is_terminal else None
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
        """End drawing."""
        if self._live:
            self._live.stop()

    def draw(self, drawn: RenderableType, line: Text, *, at_once: bool = False) -> None:
        """Show how far it is now.

        Args:
            drawn: On a terminal.
            line: Elsewhere.
            at_once: Whether the line cannot wait for its time.
        """
        now = time.monotonic()
        if self._live:
            self._live.update(drawn)
        elif at_once or now - self._said_at >= EVERY_S:
            self._said_at = now
            self._console.print(line)
