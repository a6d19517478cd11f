"""`convo up` runs everything on this machine; `convo down` stops it."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from convo_gateway.cli.interrupts import held_interrupts, wait_for
from convo_gateway.cli.options import HomeOption
from convo_gateway.stack.errors import StackError, tail
from convo_gateway.stack.home import DEFAULT_HOME, Home, Lock
from convo_gateway.stack.plan import WORKERS, Plan
from convo_gateway.stack.stack import Stack
from convo_gateway.stack.weights import HOW_TO_INSTALL, find_weights

__all__ = ["down", "up"]

DEFAULT_WORKERS = "generator=2,judge=1,filters=1"
MOST_WORKERS = 64
DETACHED = "up"
POLL_S = 0.1


def up(
    home: HomeOption = DEFAULT_HOME,
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help="Port of the web pages. [default: 8420, or a free one]"
        ),
    ] = None,
    workers: Annotated[
        str, typer.Option(help="Processes of each worker service.")
    ] = DEFAULT_WORKERS,
    local_model: Annotated[
        bool, typer.Option("--local-model/--no-local-model", help="Run the small local model too.")
    ] = False,
    weights: Annotated[
        Path | None,
        typer.Option(help="GGUF file for the local model. [default: the installed one]"),
    ] = None,
    grace: Annotated[
        float, typer.Option(min=0, help="Seconds that a paid call may take to end on stop.")
    ] = 150.0,
    detach: Annotated[
        bool, typer.Option("--detach", help="Return when it is ready, and leave it running.")
    ] = False,
) -> None:
    """Start NATS, Postgres and every service on this machine, and keep them running."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)

    def say(line: str) -> None:
        console.print(f"[green]>[/green] {escape(line)}")

    try:
        plan = Plan(
            workers=parse_workers(workers),
            port=port,
            local_model=_weights(weights) if local_model or weights else None,
            grace_s=grace,
        )
        if detach:
            _detach(home.expanduser().absolute(), plan, say)
        else:
            asyncio.run(serve(Stack(home, plan, report=say), say))
    except StackError as error:
        console.print(f"[red]x[/red] {escape(str(error))}")
        raise typer.Exit(error.exit_code) from None


def down(
    home: HomeOption = DEFAULT_HOME,
    timeout: Annotated[float, typer.Option(min=0, help="Seconds to wait for its end.")] = 240.0,
) -> None:
    """Stop what `convo up` started, in order; calls under way end first."""
    lock = Lock(Home(home.expanduser().absolute()))
    holder = lock.holder()
    if holder is None:
        typer.echo(f"No convo runs in {home}.", err=True)
        return
    if holder == 0:
        typer.echo(f"A convo runs in {home}, but it does not say its process id.", err=True)
        raise typer.Exit(1)
    os.kill(holder, signal.SIGTERM)
    give_up = time.monotonic() + timeout
    while lock.holder() == holder:
        if time.monotonic() > give_up:
            typer.echo(f"It (process {holder}) has not stopped after {timeout:.0f} s.", err=True)
            raise typer.Exit(6)
        time.sleep(POLL_S)
    typer.echo(f"Stopped (process {holder}).", err=True)


def parse_workers(text: str) -> dict[str, int]:
    """Processes by worker service, from "generator=4,judge=2"; what is not named keeps its default.

    Raises:
        StackError: the text cannot be read (exit code 2).
    """
    found: dict[str, int] = {}
    for part in f"{DEFAULT_WORKERS},{text}".split(","):
        name, _, count = part.strip().partition("=")
        if name not in WORKERS or not count.isdecimal() or int(count) > MOST_WORKERS:
            raise StackError(
                f"--workers: {part.strip()!r} is not one of {', '.join(WORKERS)} with a number"
                f" from 0 to {MOST_WORKERS}.",
                advice="Write it like: --workers generator=4,judge=2,filters=1",
                exit_code=2,
            )
        found[name] = int(count)
    return found


async def serve(stack: Stack, say: Callable[[str], None]) -> None:
    """Run a stack until SIGTERM, SIGINT or SIGHUP; a second one stops it without grace.

    Raises:
        StackError: it could not start, or a part of it was given up.
    """
    stop = asyncio.Event()

    def on_signal() -> None:
        if stop.is_set():
            stack.hurry()
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, on_signal)
    stopped = asyncio.create_task(stop.wait())
    starting = asyncio.create_task(stack.__aenter__())
    await asyncio.wait({stopped, starting}, return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        return
    await starting
    typer.echo(f"convo is up: {stack.gateway_url}")
    failed = asyncio.create_task(stack.failed())
    await asyncio.wait({stopped, failed}, return_when=asyncio.FIRST_COMPLETED)
    say("stopping; calls under way end first, press Ctrl-C again to stop at once")
    await stack.stop()
    if failed.done():
        raise failed.result()
    failed.cancel()
    say("stopped")


def _weights(given: Path | None) -> Path:
    found = given.expanduser().absolute() if given else find_weights()
    if found is None:
        raise StackError(
            "The weights of the local model are missing.", advice=HOW_TO_INSTALL, exit_code=3
        )
    if not found.is_file():
        raise StackError(f"There is no weights file {found}.", exit_code=3)
    return found


def _detach(root: Path, plan: Plan, say: Callable[[str], None]) -> None:
    """Run the plan in a session of its own; return when it is ready."""
    home = Home(root)
    home.prepare()
    log = home.log(DETACHED)
    workers = ",".join(f"{name}={count}" for name, count in plan.workers.items())
    options = [f"--home={root}", f"--workers={workers}", f"--grace={plan.grace_s}"]
    options += [f"--port={plan.port}"] if plan.port else []
    options += [f"--weights={plan.local_model}"] if plan.local_model else []
    with held_interrupts() as interrupts, log.open("ab") as output:
        child = subprocess.Popen(
            (sys.executable, "-m", "convo_gateway.cli.up", *options),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        wait_for(
            child,
            interrupts,
            passed_on=signal.SIGTERM,
            ready=lambda: home.read_stack().get("pid") == child.pid,
        )
    if child.returncode is None:
        say(f"running in the background (process {child.pid}), its log is {log}")
        typer.echo(f"convo is up: {home.read_stack().get('gateway_url')}")
        return
    raise StackError("convo did not start.", log=tail(log, 25), exit_code=child.returncode or 1)


if __name__ == "__main__":
    typer.run(up)
