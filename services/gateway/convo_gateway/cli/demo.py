"""`convo demo`: from nothing to conversations with their proof, by one command."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Annotated

import typer

from convo_events.runs import FINAL
from convo_gateway.catalog.starter import starter_objects
from convo_gateway.cli.apply import apply
from convo_gateway.cli.client import Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.export import CONVERSATIONS, export_run
from convo_gateway.cli.interrupts import held_interrupts, wait_for
from convo_gateway.cli.model import ensure_local_model
from convo_gateway.cli.options import HomeOption, YesOption, with_gateway
from convo_gateway.cli.progress import counters
from convo_gateway.cli.render import print_fields, print_text, say
from convo_gateway.cli.run_page import print_rejects
from convo_gateway.cli.start import Wish, start_run
from convo_gateway.cli.up import down
from convo_gateway.cli.watch import watch_run
from convo_gateway.shapes.counts import Shape
from convo_gateway.shapes.runs import Rejects, RunSummary
from convo_gateway.stack.home import DEFAULT_HOME, Home, Lock
from convo_gateway.stack.plan import LOCAL_MODEL

__all__ = ["demo"]

LOOK_S = 2.0
"""Between two looks whether convo is still up."""
STATIC = Path(__file__).parents[1] / "static"
"""Where the web pages are built."""
API_VARIABLES = ("OPENAI_BASE_URL", "OPENAI_API_KEY")


@dataclass(frozen=True, slots=True)
class Scene:
    """What the demo runs on."""

    config: str
    count: int
    local: bool
    """With the local model; else with the API that the environment names."""


class _Said(Shape):
    """One message of a line of an export."""

    role: str
    content: str


class _Exported(Shape):
    """What is shown of a line of an export."""

    messages: list[_Said]


LOCAL = Scene("local-demo", 10, local=True)
API = Scene("api-starter", 10, local=False)


def demo(
    home: HomeOption = DEFAULT_HOME,
    count: Annotated[
        int | None, typer.Option("--count", min=1, help="Conversations to make. [default: 10]")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave convo running afterwards.")] = False,
    yes: YesOption = False,
) -> None:
    """Make ten conversations and show what became of them: start, watch, reasons, export.

    The model is the small local one, for nothing; or the API that OPENAI_BASE_URL and OPENAI_API_KEY name, for about a
    cent. An estimate above the config's threshold asks first, or needs --yes. What the demo started it stops again,
    except with --keep; a convo that runs already is used and left running.
    """
    scene = scene_for(os.environ)
    weights = ensure_local_model() if scene.local else None
    with running_stack(home, weights, keep=keep) as url:
        say(f"convo is up: {url}")
        wish = Wish(scene.config, count=count or scene.count, name="demo")
        folder = Home(home.expanduser().absolute())
        place = folder.root / "exports"
        run = with_gateway(
            url, home, lambda api: while_up(folder, show_run(api, wish, place, yes=yes))
        )
        print_text(f"Run            {run.id}")
        print_text(f"Gateway        {url}")
    if run.status != "completed":
        raise typer.Exit(Exit.FAILURES)


def scene_for(environ: Mapping[str, str]) -> Scene:
    """The API where the environment names one with its key, else the local model."""
    return API if all(environ.get(name) for name in API_VARIABLES) else LOCAL


async def show_run(api: Gateway, wish: Wish, place: Path, *, yes: bool) -> RunSummary:
    """A run from its start to its export, told as it goes; its last state.

    Raises:
        CommandError: it cannot start, or its export is not what its manifest says.
    """
    changes = await apply(api, starter_objects(), replace=False)
    made = sum(change.action == "created" for change in changes)
    say(f"Starter catalog: {made} objects added, {len(changes) - made} were there")
    started = await start_run(api, wish, yes=yes)
    run = await watch_run(api, started, until=lambda state: state.status in {*FINAL, "paused"})
    print_text(f"\n{run.status}{f' ({run.reason})' if run.reason else ''}: {counters(run)}\n")
    print_rejects(read_as(Rejects, await api.get(f"runs/{started}/rejects")))
    done = await export_run(api, started, place / started, ["accepted"])
    if done.conversations:
        _print_first(done.folder / CONVERSATIONS)
    print_text(f"\nConversations  {done.folder / CONVERSATIONS} ({done.conversations} accepted)")
    return run


def _print_first(file: Path) -> None:
    """The first conversation of an export."""
    with file.open(encoding="utf-8") as lines:
        first = _Exported.model_validate_json(lines.readline())
    print_text("\nOne of the accepted conversations")
    print_fields((said.role, said.content) for said in first.messages)


async def while_up(folder: Home, work: Coroutine[None, None, RunSummary]) -> RunSummary:
    """What the work comes back with.

    Raises:
        CommandError: convo went down meanwhile, so it would wait for ever.
    """
    working, down = asyncio.create_task(work), asyncio.create_task(_gone(folder))
    try:
        await asyncio.wait({working, down}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise CommandError(
            f"convo in {folder.root} went down while it worked.",
            Exit.FAILURES,
            advice=f"Its log says why: {folder.log('up')}. convo doctor looks for common causes.",
        )
    finally:
        for task in (working, down):
            task.cancel()
        await asyncio.gather(working, down, return_exceptions=True)


async def _gone(folder: Home) -> None:
    """Wait until nobody holds the folder any more."""
    while Lock(folder).holder() is not None:
        await asyncio.sleep(LOOK_S)


@contextmanager
def running_stack(home: Path, weights: Path | None, *, keep: bool) -> Iterator[str]:
    """Address of the gateway of a stack in the data folder; what was started is stopped again.

    Args:
        home: the data folder.
        weights: those of the local model, None where it is not needed.
        keep: leave it running.

    Raises:
        CommandError: it does not start, or it runs without the local model that is needed.
    """
    folder = Home(home.expanduser().absolute())
    ours = not folder.read_stack()
    try:
        if ours:
            _start(folder.root, weights)
        facts = folder.read_stack()
        if weights and LOCAL_MODEL not in _names(facts.get("pids")):
            raise CommandError(
                f"The convo in {folder.root} runs without the local model.",
                Exit.CONFLICT,
                advice="Stop it with: convo down. Or start it with: convo up --local-model",
            )
        yield str(facts["gateway_url"])
    finally:
        where = "" if home == DEFAULT_HOME else f" --home {home}"
        if ours and not keep:
            _stop(folder, f"{program()} up{where}{' --local-model' if weights else ''}")
        elif Lock(folder).holder() is not None:
            say(f"convo is still running; stop it with: {program()} down{where}")


def _stop(folder: Home, command: str) -> None:
    """Stop what the demo started, also what is still starting."""
    if Lock(folder).holder() is None:
        return
    say(f"Stopping convo. What was made stays in {folder.root}; go on with: {command}")
    say(how_to_see_it(STATIC))
    down(folder.root)


def how_to_see_it(static: Path) -> str:
    """Whether the web pages will be there, and how to get them where they were never built."""
    if (static / "index.html").is_file():
        return "Its address then shows the web pages."
    return "The web pages are not built; get them with: make web"


def program() -> str:
    """How this command is called here: by its name where that is found, else by its path."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "convo" and which("convo") is None else "convo"


def _start(root: Path, weights: Path | None) -> None:
    say("Starting convo on this machine")
    model = [f"--weights={weights}"] if weights else []
    command = (sys.executable, "-m", "convo_gateway.cli.up", f"--home={root}", "--detach", *model)
    with held_interrupts() as interrupts:
        # A session of its own: Ctrl-C comes to it from here, and it has the time to clean up.
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        code = wait_for(child, interrupts, passed_on=signal.SIGINT)
    if code:
        raise CommandError(
            "convo did not start; the lines above say why.",
            Exit(code) if code in set(Exit) else Exit.FAILURES,
            advice="convo doctor looks for common causes.",
        )


def _names(processes: object) -> list[str]:
    return list(processes) if isinstance(processes, dict) else []
