"""`convo catalog export`: the catalog as YAML, into a new folder or on standard output."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from convo_gateway.cli.client import Gateway
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.folders import new_folder
from convo_gateway.cli.kinds import WRITE_ORDER, kind_named
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import print_document, print_table
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["export_catalog"]

_STANDARD_OUTPUT = "-"


def export_catalog(
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER|-]", help="A new folder, or - for standard output.")
    ] = _STANDARD_OUTPUT,
    kind: Annotated[str | None, typer.Option("--kind", help="Only this kind.")] = None,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Write the latest version of everything as YAML: one file a kind in a new folder, or all on standard output.

    What comes out can be applied again, and changes nothing then.
    """
    kinds = WRITE_ORDER if kind is None else (kind_named(kind),)
    if folder == _STANDARD_OUTPUT:
        if as_json:
            advice = "Name a folder to get a summary as JSON."
            raise CommandError("Standard output has the YAML.", Exit.USAGE, advice=advice)
        with_gateway(gateway, home, lambda api: _print(api, kinds))
        return
    with new_folder(Path(folder)) as scratch:
        counts = with_gateway(gateway, home, lambda api: _write(api, kinds, scratch))
    if as_json:
        print_document({"folder": folder, "objects": {**counts}})
        return
    print_table(("Kind", "Objects"), [[k, str(n)] for k, n in counts.items()], numbers=("Objects",))


async def _print(api: Gateway, kinds: tuple[str, ...]) -> None:
    only = kinds[0] if len(kinds) == 1 else None
    async with api.download("catalog/export", kind=only) as answer:
        async for chunk in answer.chunks:
            sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


async def _write(api: Gateway, kinds: tuple[str, ...], folder: Path) -> dict[str, int]:
    """Objects by kind; kinds without any get no file."""
    counts: dict[str, int] = {}
    for kind in kinds:
        file = folder / f"{kind}.yaml"
        async with api.download("catalog/export", kind=kind) as answer:
            with file.open("wb") as written:
                async for chunk in answer.chunks:
                    written.write(chunk)
        with file.open("rb") as lines:
            # A line that begins so is never part of a text: those are indented or in quotes.
            counts[kind] = sum(line.startswith(b"kind: ") for line in lines)
        if not counts[kind]:
            file.unlink()
    return {kind: count for kind, count in counts.items() if count}
