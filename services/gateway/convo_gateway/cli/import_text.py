"""An import in words: what was read, what was taken, and which rows were refused for which reason."""

from collections.abc import Sequence

from convo_gateway.cli.import_sending import Brought
from convo_gateway.cli.render import number, print_fields, print_table, print_text
from convo_gateway.shapes.imports import ImportShown, RefusedRow

__all__ = ["counted", "print_brought", "print_import", "print_refused"]


def print_brought(brought: Brought) -> None:
    """A file and what became of it."""
    shown, file = brought.shown, brought.source.said
    if brought.known:
        came = shown.created_at.isoformat(sep=" ", timespec="minutes")
        print_text(f"{file} is import {shown.id} already: the same bytes as {shown.name}, {came}")
    elif shown.status == "broken":
        print_text(f"{file} is broken: {shown.detail}")
    else:
        print_text(f"{file} is import {shown.id}")
    _print_counts(shown, brought.refused)


def print_import(shown: ImportShown, refused: Sequence[RefusedRow]) -> None:
    """An import that was asked for by its id."""
    why = f": {shown.detail}" if shown.detail else ""
    print_text(f"Import {shown.id} is {shown.status}{why}")
    created = shown.created_at.isoformat(sep=" ", timespec="minutes")
    print_fields([("File", shown.name), ("SHA-256", shown.sha256 or "-"), ("Brought in", created)])
    _print_counts(shown, refused)


def print_refused(rows: Sequence[RefusedRow]) -> None:
    """Refused rows, in the order of the file."""
    cells = [[number(row.row), row.code, row.pointer or "-", row.message] for row in rows]
    print_table(("Row", "Reason", "Where", "Problem"), cells, numbers=("Row",))


def counted(n: int, what: str) -> str:
    """A number with its noun, such as ``1 row`` and ``2 rows``."""
    return f"{number(n)} {what}{'' if n == 1 else 's'}"


def _print_counts(shown: ImportShown, refused: Sequence[RefusedRow]) -> None:
    so_far = " so far" if shown.status == "reading" else ""
    form = f" of {shown.format}" if shown.format else ""
    fields = [("Read", f"{counted(shown.read, 'row')}{so_far}, {number(shown.bytes)} bytes{form}")]
    if shown.status != "broken":
        said = f"{counted(shown.turns, 'turn')}, {counted(shown.characters, 'character')}"
        fields.append(("Taken", f"{counted(shown.taken, 'conversation')}: {said}"))
    reasons = "".join(f"\n{number(one.n)} {one.code}" for one in shown.refusals)
    fields.append(("Refused", counted(shown.refused, "row") + reasons))
    if shown.status != "broken":
        fields.append(("Mended", f"{counted(shown.mended, 'character')} that nothing could store"))
    print_fields(fields)
    if refused:
        print_refused(refused)
    if shown.refused > len(refused) and refused:
        more = number(shown.refused - len(refused))
        print_text(f"... and {more} more: convo imports refused {shown.id}")
