"""How far a wait is, as one line that goes away in the end."""

from rich.console import Console
from rich.text import Text

from convo_gateway.cli.live_line import LiveLine
from convo_gateway.cli.render import clean

__all__ = ["StatusLine"]


class StatusLine(LiveLine):
    """A line about what goes on. Use it as a context manager."""

    def __init__(self, console: Console | None = None) -> None:
        """Take the console; standard error unless told otherwise."""
        super().__init__(console, leaves_trace=False)

    def show(self, line: str) -> None:
        """Say how far it is now."""
        text = Text(clean(line))
        self.draw(text, text)
