"""`convo imports`: what was brought in, which of its rows were refused, and letting go of it."""

from typing import Annotated

import typer

from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.import_sending import first_refused
from convo_gateway.cli.import_text import print_import, print_refused
from convo_gateway.cli.options import (
    GatewayOption,
    HomeOption,
    JsonOption,
    YesOption,
    ask,
    with_gateway,
)
from convo_gateway.cli.render import number, print_document, print_table, print_text, say
from convo_gateway.shapes.imports import ImportPage, ImportShown, RefusedRow, RefusedRows
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["app"]

ImportArgument = Annotated[str, typer.Argument(metavar="ID", help="Id of the import.")]

app = typer.Typer(help="List, read and delete what convo import brought in.", no_args_is_help=True)

_COLUMNS = ("Id", "File", "Status", "Read", "Taken", "Refused", "Bytes", "Brought in")
_NUMBERS = ("Read", "Taken", "Refused", "Bytes")


@app.command("list")
def list_imports(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most imports to show.")] = 50,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """List imports, newest first."""
    document = with_gateway(gateway, home, lambda api: api.get("imports", limit=limit))
    if as_json:
        print_document(document)
        return
    page = read_as(ImportPage, document)
    print_table(_COLUMNS, [_row(shown) for shown in page.items], numbers=_NUMBERS)
    if page.next_cursor:
        say(f"There are more than {limit}; take --limit.")


@app.command()
def show(
    source: ImportArgument,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show an import: what was read, what was taken, and the first rows that were refused."""

    async def read(api: Gateway) -> tuple[Document, list[RefusedRow]]:
        document = await api.get(f"imports/{source}")
        return document, await first_refused(api, read_as(ImportShown, document))

    document, rows = with_gateway(gateway, home, read)
    if as_json:
        print_document(document)
    else:
        print_import(read_as(ImportShown, document), rows)


@app.command()
def refused(
    source: ImportArgument,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most rows to show.")] = 1000,
    after: Annotated[int, typer.Option(min=0, help="Only rows after this one of the file.")] = 0,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show which rows were refused, with place and reason. The first thousand of a file are kept."""
    path = f"imports/{source}/refused"
    document = with_gateway(gateway, home, lambda api: api.get(path, limit=limit, after=after))
    if as_json:
        print_document(document)
        return
    page = read_as(RefusedRows, document)
    print_refused(page.items)
    if page.next_row is not None:
        say(f"There are more; go on with: convo imports refused {source} --after {page.next_row}")
    elif page.kept < page.of:
        say(f"{number(page.of)} rows were refused; the first {number(page.kept)} are kept.")


@app.command()
def delete(
    source: ImportArgument,
    yes: YesOption = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Let go of an import and its rows. What runs made of them stays. Asks first."""
    if not yes:
        ask(
            f"Delete import {source} and its rows? What runs made of them stays.",
            refusal=CommandError(
                f"Deleting import {source} needs to be confirmed.",
                Exit.CONFLICT,
                advice="Pass --yes.",
            ),
        )
    with_gateway(gateway, home, lambda api: api.delete(f"imports/{source}"))
    if as_json:
        print_document({"id": source, "deleted": True})
    else:
        print_text(f"Import {source} is deleted")


def _row(shown: ImportShown) -> list[str]:
    return [
        shown.id,
        shown.name,
        shown.status,
        number(shown.read),
        number(shown.taken),
        number(shown.refused),
        number(shown.bytes),
        shown.created_at.isoformat(sep=" ", timespec="minutes"),
    ]
