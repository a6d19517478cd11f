"""Options that many commands have, and the way from a command to the gateway."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from convo_gateway.cli.address import VARIABLE, find_gateway
from convo_gateway.cli.client import Gateway
from convo_gateway.cli.exits import CommandError, Exit

__all__ = [
    "GatewayOption",
    "HomeOption",
    "JsonOption",
    "YesOption",
    "ask",
    "with_gateway",
]

HomeOption = Annotated[Path, typer.Option("--home", envvar="CONVO_HOME", help="Data folder.")]
GatewayOption = Annotated[
    str | None,
    typer.Option(
        "--gateway",
        metavar="URL",
        help=f"Address of the gateway. [default: {VARIABLE}, else what runs in --home]",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="One JSON document on standard output, for scripts.")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask; do it.")]
_T = TypeVar("_T")


def with_gateway(gateway: str | None, home: Path, work: Callable[[Gateway], Awaitable[_T]]) -> _T:
    """What the work comes back with, done over one session with the gateway.

    Raises:
        CommandError: the gateway is not found, refuses or does not answer.
    """
    url = find_gateway(gateway, home, os.environ)

    async def session() -> _T:
        async with Gateway(url) as open_gateway:
            return await work(open_gateway)

    return asyncio.run(session())


def ask(question: str, *, refusal: CommandError) -> None:
    """Go on where a person says yes.

    Raises:
        CommandError: there is nobody to ask, which is the refusal, or the person says no.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise refusal
    try:
        agreed = typer.confirm(question, err=True)
    except typer.Abort as error:
        raise CommandError("Nothing was changed.", Exit.INTERRUPTED) from error
    if not agreed:
        raise CommandError("Nothing was changed.", Exit.CONFLICT)
