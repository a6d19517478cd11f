"""`convo catalog import`: a table of personas, voices or pool values into the catalog."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from convo_gateway.cli.client import ApiError, Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.kinds import kind_named
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import (
    number,
    plural,
    print_document,
    print_table,
    print_text,
    say,
)
from convo_gateway.shapes.catalog_files import BulkAnswer
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["import_table"]

MOST_BYTES = 20_000_000
_KINDS = ("personas", "voices", "pools")
_SHOWN = 20
_MEDIA_TYPES = {".csv": "text/csv", ".tsv": "text/csv"}
_LINES = "application/x-ndjson"


def import_table(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="CSV or JSON lines; - for CSV on standard input.")
    ],
    kind: Annotated[str, typer.Option("--kind", help="personas, voices or pools.")],
    mode: Annotated[
        Literal["replace", "append"],
        typer.Option("--mode", help="Of pools: append keeps what they have, and adds the rest."),
    ] = "replace",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")
    ] = False,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out rows that are wrong, and write the rest.")
    ] = False,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Write a table with many rows to the catalog: all of them, or none.

    Columns are name, summary, traits (separated by |) and language of personas; name and style of voices; pool and
    value of pools, a row for each value. Every row that is wrong is named by its line.
    """
    wanted = kind_named(kind)
    if wanted not in _KINDS:
        raise CommandError(
            f"A table of {wanted} cannot be read.",
            Exit.USAGE,
            advice=f"Tables are of {', '.join(_KINDS)}; write other kinds as YAML: convo catalog apply FOLDER",
        )
    content, media_type = _read(file)
    asked = {
        "dry_run": str(dry_run).lower(),
        "skip_bad": str(skip_bad).lower(),
        "mode": mode if wanted == "pools" else None,
    }

    async def send(api: Gateway) -> BulkAnswer:
        try:
            done = await api.send(f"{wanted}/bulk", content, media_type, **asked)
        except ApiError as error:
            if error.problem.answer is None:
                raise
            return read_as(BulkAnswer, error.problem.answer)
        return read_as(BulkAnswer, done)

    answer = with_gateway(gateway, home, send)
    if as_json:
        print_document(answer.model_dump(mode="json"))
    else:
        _show(answer, dry_run=dry_run)
    if answer.errors_total and not (skip_bad and answer.written):
        raise typer.Exit(Exit.USAGE)


def _show(answer: BulkAnswer, *, dry_run: bool) -> None:
    if answer.errors:
        rows = [[str(e.row), e.column or "-", e.message] for e in answer.errors[:_SHOWN]]
        print_table(("Line", "Column", "Problem"), rows, numbers=("Line",))
        more = answer.errors_total - len(rows)
        if more:
            print_text(f"... and {number(more)} more")
    wrong = f", {plural(answer.errors_total, 'problem')}" if answer.errors_total else ""
    print_text(
        f"{plural(answer.rows, 'row')}: {number(answer.created)} created, {number(answer.updated)} changed, "
        f"{number(answer.unchanged)} unchanged{wrong}"
    )
    if not answer.written:
        say(f"Nothing was written{' (--dry-run)' if dry_run else ''}.")


def _read(file: str) -> tuple[bytes, str]:
    """The content of a table and its media type.

    Raises:
        CommandError: it cannot be read, or is too large.
    """
    if file == "-":
        content, media_type = sys.stdin.buffer.read(MOST_BYTES + 1), "text/csv"
    else:
        path = Path(file)
        media_type = _MEDIA_TYPES.get(path.suffix.lower(), _LINES)
        try:
            with path.open("rb") as opened:
                content = opened.read(MOST_BYTES + 1)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise CommandError(f"{file} cannot be read: {reason}", Exit.USAGE) from error
    if len(content) > MOST_BYTES:
        raise CommandError(
            f"{file} has more than {MOST_BYTES:,} bytes.", Exit.USAGE, advice="Split it."
        )
    return content, media_type
