"""The live line of a run on standard error: a bar on a terminal, a line now and then elsewhere."""

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from convo_gateway.cli.render import clean, duration, error_console, number, usd
from convo_gateway.shapes.runs import RunSummary

__all__ = ["Progress", "bar", "counters"]

EVERY_S = 10.0
"""Without a terminal, a line is written this often, and at every change of status."""
WIDTH = 40


class Progress:
    """Shows a run as it goes. Use it as a context manager."""

    def __init__(self, console: Console | None = None) -> None:
        """Take the console; standard error unless told otherwise."""
        self._console = console or error_console()
        self._live = (
            Live(console=self._console, refresh_per_second=4, redirect_stdout=False)
            if self._console.is_terminal
            else None
        )
        self._status = ""
        self._said_at = float("-inf")

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
        """Leave what was drawn last where it is."""
        if self._live:
            self._live.stop()

    def show(self, run: RunSummary) -> None:
        """Draw the run as it is now."""
        if self._live:
            self._live.update(Group(_head(run), bar(run, WIDTH), Text(counters(run))))
            return
        now = time.monotonic()
        if run.status != self._status or now - self._said_at >= EVERY_S:
            self._status, self._said_at = run.status, now
            self._console.print(Text(f"{run.status}  {counters(run)}"))

    def note(self, text: str) -> None:
        """Say something beside the bar."""
        self._console.print(Text(clean(text)))
        sys.stderr.flush()


def counters(run: RunSummary) -> str:
    """The counters of a run on one line, each against the target."""
    settled = run.accepted + run.rejected + run.failed
    rate = "-" if run.rate_per_minute is None else f"{run.rate_per_minute:,.1f}/min"
    more = f" + at most {usd(run.unknown_micro)} unknown" if run.unknown_calls else ""
    return "   ".join(
        (
            f"{number(settled)}/{number(run.target)}",
            f"Accepted {number(run.accepted)}",
            f"Rejected {number(run.rejected)}",
            f"Failed {number(run.failed)}",
            f"Rate {rate}",
            f"ETA {duration(run.eta_s)}",
            f"Cost {usd(run.cost_micro)}{more}",
        )
    )


def bar(run: RunSummary, width: int) -> Text:
    """Accepted green, rejected amber, failed red, the rest dim; as wide as asked."""
    parts = (("green", run.accepted), ("yellow", run.rejected), ("red", run.failed))
    drawn = Text()
    done = ends = 0
    for style, count in parts:
        done += count
        end = round(width * min(done, run.target) / run.target) if run.target else 0
        drawn.append("━" * (end - ends), style=style)
        ends = end
    return drawn.append("─" * (width - ends), style="dim")


def _head(run: RunSummary) -> Text:
    reason = f" ({run.reason})" if run.reason else ""
    return Text(clean(f"{run.name}  {run.status}{reason}"), style="bold")
