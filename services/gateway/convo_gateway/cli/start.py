"""`convo run estimate` and `convo run start`: what a run will cost, and starting it."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import typer

from convo_gateway.cli.cap import CapOption
from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.estimate_text import print_estimate
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.options import (
    GatewayOption,
    HomeOption,
    JsonOption,
    YesOption,
    ask,
    with_gateway,
)
from convo_gateway.cli.render import print_document, print_line, print_text, usd
from convo_gateway.cli.watch import end_of, watch_run
from convo_gateway.shapes.counts import Shape
from convo_gateway.shapes.runs import RunSummary
from convo_gateway.shapes.start import EstimateAnswer
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = [
    "Wish",
    "agreed_to",
    "begin_run",
    "estimate",
    "post_estimate",
    "print_started",
    "start",
    "start_run",
]

ConfigArgument = Annotated[str, typer.Argument(metavar="CONFIG", help="Name of the run config.")]
CountOption = Annotated[
    int | None, typer.Option("--count", min=1, help="Conversations to make. [default: config's]")
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="Seed of the plan. [default: config's]")
]
OffPeakOption = Annotated[
    bool, typer.Option("--off-peak", help="Wait queued until the next off-peak window.")
]
ImportOption = Annotated[
    str | None,
    typer.Option(
        "--import",
        metavar="ID",
        help="Import that a config of mode import reads; see convo imports.",
    ),
]
Show = Callable[[EstimateAnswer], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """The run that a person wants."""

    config: str
    count: int | None = None
    seed: int | None = None
    name: str | None = None
    off_peak: bool = False
    cap_usd: float | None = None
    import_source: str | None = None

    def wanted(self) -> Document:
        """Body of a request for an estimate."""
        given: Document = {
            "config": self.config,
            "target_count": self.count,
            "seed": self.seed,
            "start": "off_peak" if self.off_peak else "now",
            "spend_cap_usd": self.cap_usd,
            "import_source": self.import_source,
        }
        return {name: value for name, value in given.items() if value is not None}


class _Started(Shape):
    """What both answers to a start have: the page of the run, or its state where that is not ready."""

    id: str
    status: str | None = None


def estimate(
    config: ConfigArgument,
    count: CountOption = None,
    seed: SeedOption = None,
    off_peak: OffPeakOption = False,
    cap: CapOption = None,
    import_source: ImportOption = None,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show what a run would cost, and start nothing."""
    wish = Wish(config, count, seed, off_peak=off_peak, cap_usd=cap, import_source=import_source)
    document = with_gateway(gateway, home, lambda api: post_estimate(api, wish))
    if as_json:
        print_document(document)
    else:
        print_estimate(read_as(EstimateAnswer, document), waits=off_peak)


def start(
    config: ConfigArgument,
    count: CountOption = None,
    seed: SeedOption = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name. [default: config's, with the date]")
    ] = None,
    off_peak: OffPeakOption = False,
    cap: CapOption = None,
    import_source: ImportOption = None,
    yes: YesOption = False,
    watch: Annotated[bool, typer.Option("--watch", help="Watch it until it ends.")] = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show the estimate, then start a run.

    An estimate above the config's threshold asks first; without a terminal it needs --yes, else exit code 4. With
    --watch the exit code is the one of the run's end, as for convo run watch.
    """
    wish = Wish(config, count, seed, name, off_peak, cap, import_source)
    show: Show = (lambda _: None) if as_json else partial(print_estimate, waits=off_peak)

    async def work(api: Gateway) -> RunSummary | None:
        document = await post_run(api, wish, yes=yes, show=show)
        if not as_json:
            print_started(document)
        elif watch:
            print_line(document)
        else:
            print_document(document)
        run = read_as(_Started, document).id
        return await watch_run(api, run, as_json=as_json) if watch else None

    end = with_gateway(gateway, home, work)
    if end is not None:
        raise typer.Exit(end_of(end))


async def start_run(api: Gateway, wish: Wish, *, yes: bool) -> str:
    """Id of the new run; the estimate is shown first.

    Raises:
        CommandError: the estimate needs a yes that nobody gives, or the gateway refuses.
    """
    return read_as(_Started, await post_run(api, wish, yes=yes, show=print_estimate)).id


async def post_run(api: Gateway, wish: Wish, *, yes: bool, show: Show) -> Document:
    """The gateway's answer to the start, after the estimate was shown and agreed to.

    Raises:
        CommandError: the estimate needs a yes that nobody gives, or the gateway refuses.
    """
    answer = read_as(EstimateAnswer, await post_estimate(api, wish))
    show(answer)
    return await begin_run(api, wish, agreed_to(answer, yes=yes))


async def begin_run(api: Gateway, wish: Wish, confirmed_micro: int | None) -> Document:
    """The gateway's answer to the start of a run whose estimate was agreed to.

    Raises:
        CommandError: the gateway refuses.
    """
    body = wish.wanted()
    if wish.name is not None:
        body["name"] = wish.name
    if confirmed_micro is not None:
        body["confirm_estimate_micro"] = confirmed_micro
    return await api.post("runs", body, key=uuid.uuid4().hex)


async def post_estimate(api: Gateway, wish: Wish) -> Document:
    """The gateway's estimate.

    Raises:
        CommandError: there is no such config, or it cannot be started from.
    """
    try:
        return await api.post("runs/estimate", wish.wanted())
    except CommandError as error:
        if error.code is Exit.NOT_FOUND:
            error.advice = "See what there is: convo catalog list run-configs"
        elif any(problem.pointer == "/import_source" for problem in error.problems):
            error.advice = "It is named with --import ID; see what there is: convo imports list"
        raise


def agreed_to(answer: EstimateAnswer, *, yes: bool) -> int | None:
    """The estimate that was agreed to, in micro-dollars; None where it needs no yes.

    Raises:
        CommandError: it needs one that nobody gives.
    """
    if not answer.needs_confirmation:
        return None
    if not yes:
        _agree(answer)
    total = answer.estimate.total
    return total.expected if total else 0


def print_started(document: Document) -> None:
    """What became of a start, for people."""
    started = read_as(_Started, document)
    waits = started.status == "queued"
    how = (
        f"waits; start it at once with: convo run start-now {started.id}" if waits else "is started"
    )
    print_text(f"Run {started.id} {how}")


def _agree(answer: EstimateAnswer) -> None:
    """Ask whether the run shall start at that price."""
    total = answer.estimate.total
    said = usd(total.expected) if total else "unknown, as a model has no price"
    threshold = usd(answer.estimate.threshold_micro)
    ask(
        f"The estimate is {said}; the config asks above {threshold}. Start anyway?",
        refusal=CommandError(
            f"The estimate is {said}; the config asks above {threshold}. Nothing was started.",
            Exit.CONFLICT,
            advice="Pass --yes to start anyway.",
        ),
    )
