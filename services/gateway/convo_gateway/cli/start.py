"""`convo run estimate` and `convo run start`: what a run will cost, and starting it."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
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

__all__ = ["Wish", "estimate", "start", "start_run"]

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

    def wanted(self) -> Document:
        """Body of a request for an estimate."""
        given: Document = {
            "config": self.config,
            "target_count": self.count,
            "seed": self.seed,
            "start": "off_peak" if self.off_peak else "now",
            "spend_cap_usd": self.cap_usd,
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
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show what a run would cost, and start nothing."""
    wish = Wish(config, count, seed, off_peak=off_peak, cap_usd=cap)
    document = with_gateway(gateway, home, lambda api: _estimate(api, wish))
    if as_json:
        print_document(document)
    else:
        print_estimate(read_as(EstimateAnswer, document))


def start(
    config: ConfigArgument,
    count: CountOption = None,
    seed: SeedOption = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name. [default: config's, with the date]")
    ] = None,
    off_peak: OffPeakOption = False,
    cap: CapOption = None,
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
    wish = Wish(config, count, seed, name, off_peak, cap)
    show: Show = (lambda _: None) if as_json else print_estimate

    async def work(api: Gateway) -> RunSummary | None:
        document = await post_run(api, wish, yes=yes, show=show)
        _print_started(document, as_json=as_json, watch=watch)
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
    answer = read_as(EstimateAnswer, await _estimate(api, wish))
    show(answer)
    body = wish.wanted()
    if wish.name is not None:
        body["name"] = wish.name
    if answer.needs_confirmation:
        if not yes:
            _agree(answer)
        total = answer.estimate.total
        body["confirm_estimate_micro"] = total.expected if total else 0
    return await api.post("runs", body, key=uuid.uuid4().hex)


async def _estimate(api: Gateway, wish: Wish) -> Document:
    """The gateway's estimate.

    Raises:
        CommandError: there is no such config, or it cannot be started from.
    """
    try:
        return await api.post("runs/estimate", wish.wanted())
    except CommandError as error:
        if error.code is Exit.NOT_FOUND:
            error.advice = "See what there is: convo catalog list run-configs"
        raise


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


def _print_started(document: Document, *, as_json: bool, watch: bool) -> None:
    if not as_json:
        started = read_as(_Started, document)
        waits = started.status == "queued"
        how = (
            f"waits; start it at once with: convo run start-now {started.id}"
            if waits
            else "is started"
        )
        print_text(f"Run {started.id} {how}")
    elif watch:
        print_line(document)
    else:
        print_document(document)
