"""`convo run watch`: a run as it goes. Ending a watch never changes the run."""

import asyncio
from collections.abc import Callable
from typing import Annotated

import typer

from convo_events.runs import FINAL
from convo_gateway.cli.client import Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.follow import follow
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.paused import how_to_go_on
from convo_gateway.cli.progress import Progress, counters
from convo_gateway.cli.render import print_line, print_text, say
from convo_gateway.shapes.runs import Run, RunSummary
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["end_of", "watch", "watch_run"]


def watch(
    run: Annotated[str, typer.Argument(metavar="ID", help="Id of the run.")],
    timeout: Annotated[
        float | None, typer.Option(min=0, help="Seconds to wait at most; then exit code 6.")
    ] = None,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Watch a run until it ends; with --json one document a line. Ending the watch does not end the run.

    Exit code 0 if it completed, 1 if it failed, was cancelled, or completed with failed conversations.
    """
    end = with_gateway(
        gateway, home, lambda api: watch_run(api, run, timeout_s=timeout, as_json=as_json)
    )
    if not as_json:
        print_text(f"Run {end.id} {end.status}: {counters(end)}")
    raise typer.Exit(end_of(end))


def end_of(run: RunSummary) -> Exit:
    """Exit code for a run that has ended."""
    return Exit.OK if run.status == "completed" and not run.failed else Exit.FAILURES


async def watch_run(
    api: Gateway,
    run: str,
    *,
    timeout_s: float | None = None,
    as_json: bool = False,
    until: Callable[[RunSummary], bool] = lambda state: state.status in FINAL,
) -> RunSummary:
    """The run at its end, or as soon as ``until`` says so; shown while it goes.

    Raises:
        CommandError: there is no such run, or the time is over (exit code 6).
    """
    goes_on = f"Run {run} goes on; look again with: convo run watch {run}"
    try:
        async with asyncio.timeout(timeout_s):
            if as_json:
                return await _last(api, run, _print_state, say, until)
            with Progress() as progress:
                return await _last(api, run, progress.show, progress.note, until)
    except TimeoutError:
        message = f"The watch ended after {timeout_s:g} s."
        raise CommandError(message, Exit.TIMED_OUT, advice=goes_on) from None
    except asyncio.CancelledError:
        say(goes_on)
        raise


async def _last(
    api: Gateway,
    run: str,
    show: Callable[[RunSummary], None],
    note: Callable[[str], None],
    until: Callable[[RunSummary], bool],
) -> RunSummary:
    paused: tuple[str, str] | None = None
    async for state in follow(api, run, note):
        show(state)
        before, paused = paused, (state.status, state.reason) if state.status == "paused" else None
        if paused and paused != before:
            note(await _why_paused(api, run, state.reason))
        if until(state):
            return state
    raise AssertionError("following a run does not end by itself")


async def _why_paused(api: Gateway, run: str, reason: str) -> str:
    """Why a run is paused and how it goes on; a gateway that is away has no detail."""
    try:
        why = read_as(Run, await api.get(f"runs/{run}")).happened.why_not_moving or ""
    except CommandError:
        why = f"It is paused ({reason})." if reason else "It is paused."
    return f"{why.rstrip('. ')}. {how_to_go_on(run, reason)}"


def _print_state(run: RunSummary) -> None:
    print_line(run.model_dump(mode="json"))
