"""`convo run`: list runs, read one, and change its life."""

import sys
from typing import Annotated, Literal

import typer

from convo_events.snapshot import ImportSource
from convo_gateway.cli.cap import cap
from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.export import export
from convo_gateway.cli.options import (
    GatewayOption,
    HomeOption,
    JsonOption,
    YesOption,
    ask,
    with_gateway,
)
from convo_gateway.cli.render import (
    number,
    plural,
    print_document,
    print_table,
    print_text,
    say,
    usd,
)
from convo_gateway.cli.replay import delete_verdict_set, replay, verdict_sets
from convo_gateway.cli.run_distributions import print_distributions
from convo_gateway.cli.run_judge import print_judge
from convo_gateway.cli.run_page import print_rejects, print_run
from convo_gateway.cli.start import estimate, start
from convo_gateway.cli.watch import watch
from convo_gateway.shapes.distributions import Distributions
from convo_gateway.shapes.judge_health import JudgeReport
from convo_gateway.shapes.runs import Rejects, Run, RunPage, RunState, RunSummary
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["RunArgument", "app"]

Action = Literal["start", "pause", "resume", "kick", "cancel"]
RunArgument = Annotated[str, typer.Argument(metavar="ID", help="Id of the run.")]

app = typer.Typer(help="Start, watch, read and export runs.", no_args_is_help=True)
for command in (start, estimate, watch, export, cap, replay, verdict_sets, delete_verdict_set):
    app.command()(command)

_COLUMNS = ("Id", "Name", "Status", "Target", "Accepted", "Rejected", "Failed", "Cost", "Planned")
_NUMBERS = ("Target", "Accepted", "Rejected", "Failed", "Cost")


@app.command("list")
def list_runs(
    status: Annotated[
        list[str] | None, typer.Option(help="Only runs in this status; may be repeated.")
    ] = None,
    config: Annotated[str | None, typer.Option(help="Only runs of this config.")] = None,
    words: Annotated[
        str | None, typer.Option("-q", "--query", help="Only runs with this in their name.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most runs to show.")] = 50,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="All of them as CSV, with counts, coverage and cost.")
    ] = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """List runs, newest first."""
    if as_csv:
        with_gateway(gateway, home, lambda api: _write_csv(api, status, config, words))
        return
    query = {"config": config, "q": words, "limit": limit}

    async def read(api: Gateway) -> Document:
        return await api.get("runs", status=status, **query)

    document = with_gateway(gateway, home, read)
    if as_json:
        print_document(document)
        return
    page = read_as(RunPage, document)
    print_table(_COLUMNS, [_row(run) for run in page.items], numbers=_NUMBERS)
    if page.next_cursor:
        say(f"There are more than {limit}; choose with --status, --config or -q, or take --limit.")


async def _write_csv(
    api: Gateway, status: list[str] | None, config: str | None, words: str | None
) -> None:
    """The table of runs on standard output, byte for byte as the gateway gives it."""
    async with api.download("runs.csv", status=status, config=config, q=words) as answer:
        async for chunk in answer.chunks:
            sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


@app.command()
def show(
    run: RunArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show a run: what was requested, what happened, what it produced, what supports it."""

    async def read(api: Gateway) -> list[Document]:
        page = await api.get(f"runs/{run}")
        judge = await api.get(f"runs/{run}/judge")
        if as_json:
            return [page | {"judge": judge}]
        spread = f"runs/{run}/distributions"
        return [
            page,
            judge,
            await api.get(f"runs/{run}/rejects"),
            await api.get(spread, over="last"),
            await api.get(spread, over="all"),
            await api.get(f"runs/{run}/snapshot") if page["mode"] == "import" else {},
        ]

    page, *others = with_gateway(gateway, home, read)
    if not others:
        print_document(page)
        return
    judge, rejects, last, every, snapshot = others
    source = snapshot.get("source")
    imported = None if source is None else read_as(ImportSource, source)
    print_run(read_as(Run, page), read_as(Rejects, rejects), imported)
    print_judge(read_as(JudgeReport, judge))
    print_distributions(read_as(Distributions, last), read_as(Distributions, every))


@app.command()
def rejects(
    run: RunArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show why conversations were rejected or failed, and the last rejects."""
    document = with_gateway(gateway, home, lambda api: api.get(f"runs/{run}/rejects"))
    if as_json:
        print_document(document)
    else:
        print_rejects(read_as(Rejects, document))


@app.command("start-now")
def start_now(
    run: RunArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Start a run now that waits queued for its off-peak window."""
    _act(run, "start", gateway, home, as_json)


@app.command()
def pause(
    run: RunArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Send nothing new. Calls under way end, and their results are kept."""
    _act(run, "pause", gateway, home, as_json)


@app.command()
def resume(
    run: RunArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Go on: each thread at its next step; nothing is done twice."""
    _act(run, "resume", gateway, home, as_json)


@app.command()
def kick(
    run: RunArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Send every open step again, for a run that looks stuck; no finished call is paid twice."""
    _act(run, "kick", gateway, home, as_json)


@app.command()
def cancel(
    run: RunArgument,
    yes: YesOption = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """End a run for good; calls in flight are aborted. Asks first."""
    if not yes:
        ask(
            f"Cancel run {run} for good? Model calls in flight are aborted.",
            refusal=CommandError(
                f"Cancelling run {run} needs to be confirmed.", Exit.CONFLICT, advice="Pass --yes."
            ),
        )
    _act(run, "cancel", gateway, home, as_json)


def _act(run: str, action: Action, gateway: str | None, home: HomeOption, as_json: bool) -> None:
    body: Document = {"confirm": True} if action == "cancel" else {}
    path = f"runs/{run}/actions/{action}"
    document = with_gateway(gateway, home, lambda api: api.post(path, body))
    if as_json:
        print_document(document)
        return
    state = read_as(RunState, document)
    sent = "" if state.threads is None else f"; {_sent_again(state.threads)}"
    print_text(f"Run {state.id} is {state.status}{sent}")


def _sent_again(threads: int) -> str:
    return f"{plural(threads, 'thread')} {'is' if threads == 1 else 'are'} sent again"


def _row(run: RunSummary) -> list[str]:
    return [
        run.id,
        run.name,
        run.status,
        number(run.target),
        number(run.accepted),
        number(run.rejected),
        number(run.failed),
        usd(run.cost_micro),
        run.planned_at.isoformat(sep=" ", timespec="minutes"),
    ]
