"""`convo run cap`: another spend cap for a run that has not ended."""

import uuid
from typing import Annotated

import typer

from convo_gateway.cli.client import Document, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.paused import how_to_go_on
from convo_gateway.cli.render import print_document, print_text
from convo_gateway.shapes.runs import RunState
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["CapOption", "cap"]

CapOption = Annotated[
    float | None,
    typer.Option("--cap", metavar="USD", help="Most that this run may spend. [default: config's]"),
]


def cap(
    run: Annotated[str, typer.Argument(metavar="ID", help="Id of the run.")],
    amount: Annotated[str, typer.Argument(metavar="USD", help="US dollars, or none for no cap.")],
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Raise, lower or take away the spend cap of a run that has not ended.

    A run that is paused for its cap stays paused until it is resumed. One that has spent more than the new cap is
    paused.
    """
    body: Document = {"spend_cap_usd": _dollars(amount)}
    key = uuid.uuid4().hex
    document = with_gateway(gateway, home, lambda api: api.patch(f"runs/{run}", body, key=key))
    if as_json:
        print_document(document)
        return
    state = read_as(RunState, document)
    new = (
        "no spend cap"
        if body["spend_cap_usd"] is None
        else f"a spend cap of ${_dollars(amount):,.2f}"
    )
    print_text(f"Run {state.id} has {new} and is {state.status}")
    if state.status == "paused":
        print_text(how_to_go_on(state.id, ""))


def _dollars(amount: str) -> float | None:
    """US dollars; None for no cap.

    Raises:
        CommandError: it is no amount.
    """
    if amount.lower() == "none":
        return None
    try:
        return float(amount.removeprefix("$"))
    except ValueError:
        message = f"{amount!r} is no amount in US dollars."
        raise CommandError(
            message, Exit.USAGE, advice="Give a number such as 25, or none."
        ) from None
