"""Kinds of the catalog as a person names them."""

from typing import Annotated

import typer

from convo_events.catalog import KINDS
from convo_gateway.catalog.documents import SINGULAR
from convo_gateway.cli.exits import CommandError, Exit

__all__ = ["WRITE_ORDER", "KindArgument", "kind_named"]

WRITE_ORDER = (
    "filter-lists",
    "pools",
    "personas",
    "voices",
    "prompt-sets",
    "backends",
    "run-configs",
)
"""A kind stands after what it may name."""
KindArgument = Annotated[str, typer.Argument(metavar="KIND", help=f"One of {', '.join(KINDS)}.")]
_KNOWN = {**{kind: kind for kind in KINDS}, **{word: kind for kind, word in SINGULAR.items()}}


def kind_named(word: str) -> str:
    """The kind as in the API's paths, from ``personas``, ``persona``, ``Run_Config`` ...

    Raises:
        CommandError: there is no such kind.
    """
    kind = _KNOWN.get(word.lower().replace("_", "-"))
    if kind is None:
        raise CommandError(
            f"There is no kind {word!r}.", Exit.USAGE, advice=f"Kinds are {', '.join(KINDS)}."
        )
    return kind
