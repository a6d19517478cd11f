"""Waiting for an export: how far it is, on standard error. Ending the wait never ends the export."""

import asyncio

from convo_gateway.cli.client import Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.render import number, percent, say
from convo_gateway.cli.status_line import StatusLine
from convo_gateway.shapes.exports import ExportShown

__all__ = ["until_made"]

POLL_S = 0.5


async def until_made(api: Gateway, export: str, *, timeout_s: float | None) -> ExportShown:
    """The export, when it is done.

    Raises:
        CommandError: it failed or was cancelled (exit code 1), or the time is over (exit code 6).
    """
    goes_on = f"Export {export} goes on; bring it later with: convo export --resume {export}"
    try:
        async with asyncio.timeout(timeout_s):
            shown = await _last(api, export)
    except TimeoutError:
        message = f"Export {export} is not done after {timeout_s:g} s."
        raise CommandError(message, Exit.TIMED_OUT, advice=goes_on) from None
    except asyncio.CancelledError:
        say(goes_on)
        raise
    if shown.status != "done":
        advice = "Its files were deleted after some days." if shown.status == "expired" else ""
        why = f": {shown.problem}" if shown.problem else "."
        raise CommandError(f"Export {export} is {shown.status}{why}", Exit.FAILURES, advice=advice)
    return shown


async def _last(api: Gateway, export: str) -> ExportShown:
    with StatusLine() as status:
        while True:
            shown = read_as(ExportShown, await api.get(f"exports/{export}"))
            if shown.status not in ("queued", "running"):
                return shown
            status.show(_line(shown))
            await asyncio.sleep(POLL_S)


def _line(shown: ExportShown) -> str:
    if shown.total is None:
        return f"{shown.id}  {shown.status}"
    share = percent(shown.looked_at, shown.total)
    return f"{shown.id}  {number(shown.looked_at)}/{number(shown.total)} conversations  {share}"
