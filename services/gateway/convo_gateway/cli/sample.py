"""`convo config sample`: one conversation of a config's plan, made for real and for a stated price."""

import uuid
from typing import Annotated

import typer

from convo_events.runs import FINAL
from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.conversation import print_conversation
from convo_gateway.cli.estimate_text import print_estimate
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.follow import follow
from convo_gateway.cli.options import (
    GatewayOption,
    HomeOption,
    JsonOption,
    YesOption,
    ask,
    with_gateway,
)
from convo_gateway.cli.render import print_document, print_text, say, usd
from convo_gateway.cli.start import ConfigArgument, SeedOption
from convo_gateway.cli.watch import end_of
from convo_gateway.shapes.conversations import Conversation
from convo_gateway.shapes.runs import RunSummary
from convo_gateway.shapes.samples import SampleStarted
from convo_gateway.shapes.start import EstimateAnswer
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["sample"]


def sample(
    config: ConfigArgument,
    index: Annotated[
        int, typer.Option("--index", min=0, help="Number of the conversation in the plan, from 0.")
    ] = 0,
    seed: SeedOption = None,
    count: Annotated[
        int | None,
        typer.Option("--count", min=1, help="Conversations of the plan. [default: config's]"),
    ] = None,
    yes: YesOption = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Make one conversation of the plan with all its steps, without a run in the list.

    Its price is shown and asked about first; without a terminal it needs --yes, else exit code 4. Then the conversation
    is shown with its verdict and cost. Ctrl-C ends the wait and not the sample.
    """
    wanted: Document = {"config": config, "index": index, "seed": seed, "target_count": count}
    body: Document = {name: value for name, value in wanted.items() if value is not None}

    async def work(api: Gateway) -> tuple[RunSummary, Document]:
        price = read_as(EstimateAnswer, await api.post("samples/estimate", body))
        if not as_json:
            print_estimate(price)
        total = price.estimate.total
        if price.needs_confirmation and not yes:
            _agree(price)
        confirmed = body | {"confirm_estimate_micro": total.expected if total else 0}
        made = await api.post("samples", confirmed, key=uuid.uuid4().hex)
        started = read_as(SampleStarted, made)
        say(f"Sample {started.run} is made; end it early with: convo run cancel {started.run}")
        end = await _end(api, started.run)
        return end, await api.get(f"conversations/{started.conversation}")

    end, document = with_gateway(gateway, home, work)
    if as_json:
        print_document(document)
    else:
        print_text()
        print_conversation(read_as(Conversation, document))
    raise typer.Exit(end_of(end))


async def _end(api: Gateway, run: str) -> RunSummary:
    """The sample's run when it has ended, or a refusal where it waits for a person.

    Raises:
        CommandError: it is paused.
    """
    async for state in follow(api, run, say):
        if state.status in FINAL:
            return state
        if state.status == "paused":
            raise CommandError(
                f"The sample is paused ({state.reason}).",
                Exit.FAILURES,
                advice=f"See why: convo run show {run}",
            )
    raise AssertionError("following a run does not end by itself")


def _agree(price: EstimateAnswer) -> None:
    total = price.estimate.total
    said = usd(total.expected) if total else "unknown, as a model has no price"
    ask(
        f"This conversation is estimated at {said}. Make it?",
        refusal=CommandError(
            f"This conversation is estimated at {said}. Nothing was made.",
            Exit.CONFLICT,
            advice="Pass --yes to make it.",
        ),
    )
