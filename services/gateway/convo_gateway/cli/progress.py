"""The live line of a run on standard error: a bar on a terminal, a line now and then elsewhere."""

import sys

from rich.console import Console, Group
from rich.text import Text

from convo_gateway.cli.live_line import LiveLine
from convo_gateway.cli.render import clean, duration, number, usd
from convo_gateway.shapes.runs import RunSummary

__all__ = ["Progress", "bar", "counters"]

WIDTH = 40


class Progress(LiveLine):
    """Shows a run as it goes. Use it as a context manager."""

    def __init__(self, console: Console | None = None) -> None:
        """Take the console; standard error unless told otherwise."""
        super().__init__(console, leaves_trace=True)
        self._status = ""

    def show(self, run: RunSummary) -> None:
        """Draw the run as it is now."""
        drawn = Group(_head(run), bar(run, WIDTH), Text(counters(run)))
        line = Text(f"{run.status}  {counters(run)}")
        self.draw(drawn, line, at_once=run.status != self._status)
        self._status = run.status

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
