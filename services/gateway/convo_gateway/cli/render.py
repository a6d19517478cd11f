"""What commands print: documents for programs, tables and text for people, and on standard error what goes on."""

import json
import re
import sys
from collections.abc import Iterable, Sequence

from pydantic import JsonValue
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from convo_events.errors import Problem

__all__ = [
    "clean",
    "duration",
    "error_console",
    "number",
    "percent",
    "placed",
    "plural",
    "print_document",
    "print_fields",
    "print_line",
    "print_table",
    "print_text",
    "say",
    "usd",
]

DASH = "-"
"""Stands for what is unknown; never a zero."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """Text without what could steer a terminal: control characters and overrides of direction.

    Names, replies and reasons come from people and models.
    """
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def print_document(document: JsonValue) -> None:
    """One JSON document on standard output."""
    _write(json.dumps(document, indent=2, ensure_ascii=_ascii_only()))


def print_line(document: JsonValue) -> None:
    """One JSON document as one line on standard output, at once."""
    _write(json.dumps(document, separators=(",", ":"), ensure_ascii=_ascii_only()))


def print_text(text: str = "") -> None:
    """Lines for people on standard output."""
    _write("\n".join(clean(line) for line in text.split("\n")))


def say(text: str) -> None:
    """A line about what goes on, on standard error."""
    error_console().print(Text(clean(text)))


def error_console() -> Console:
    """Standard error; colours only on a terminal, and not where NO_COLOR is set."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_fields(fields: Iterable[tuple[str, str]], *, indent: int = 2) -> None:
    """Label and value, one a line, values below each other."""
    rows = [(label, value) for label, value in fields]
    width = max((cell_len(label) for label, _ in rows), default=0)
    for label, value in rows:
        gap = " " * (width - cell_len(label) + 2)
        below = "\n" + " " * (indent + width + 2)
        print_text(f"{' ' * indent}{label}{gap}{value.replace(chr(10), below)}".rstrip())


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[str] = ()
) -> None:
    """Rows below their column names: a table on a terminal, aligned text elsewhere.

    Args:
        columns: names, left to right.
        rows: cells of each row, as many as there are columns.
        numbers: columns that stand to the right.
    """
    cells = [[clean(cell).replace("\n", " ") for cell in row] for row in rows]
    if sys.stdout.isatty():
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in columns:
            table.add_column(name, justify="right" if name in numbers else "left", overflow="fold")
        for row in cells:
            table.add_row(*(Text(cell) for cell in row))
        Console(highlight=False).print(table)
        return
    widths = [max(map(cell_len, column)) for column in zip(columns, *cells, strict=True)]
    for row in [list(columns), *cells]:
        aligned = [
            " " * (width - cell_len(cell)) + cell
            if name in numbers
            else cell + " " * (width - cell_len(cell))
            for name, cell, width in zip(columns, row, widths, strict=True)
        ]
        print_text("  ".join(aligned).rstrip())


def placed(problem: Problem) -> str:
    """A problem with its file in front, in the form that editors jump to."""
    file = getattr(problem, "file", "")
    if not file:
        return str(problem)
    place = f":{problem.line}:{problem.column}" if problem.line is not None else ""
    pointer = f" {problem.pointer}:" if problem.pointer else ""
    return f"{file}{place}:{pointer} {problem.message}"


def usd(micro: float | None) -> str:
    """Micro-dollars as dollars: cents, more places for what is smaller, a dash for what is unknown."""
    if micro is None:
        return DASH
    dollars = micro / 1_000_000
    if dollars and abs(dollars) < 0.0001:
        return "<$0.0001"
    return f"${dollars:,.4f}" if dollars and abs(dollars) < 1 else f"${dollars:,.2f}"


def number(value: float | None) -> str:
    """A count with thousands separated; a dash for what is unknown."""
    return DASH if value is None else f"{value:,.0f}"


def plural(value: int, word: str) -> str:
    """A count with its word, such as ``1 call`` or ``1,200 calls``."""
    return f"{number(value)} {word}{'' if value == 1 else 's'}"


def percent(part: float, whole: float) -> str:
    """A share; a dash where there is nothing to share."""
    return f"{100 * part / whole:.1f} %" if whole else DASH


def duration(seconds: float | None) -> str:
    """Seconds as a person says them, such as ``1 h 04 min``; a dash for what is unknown."""
    if seconds is None:
        return DASH
    whole = max(0, round(seconds))
    hours, minutes = whole // 3600, whole % 3600 // 60
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {whole % 60:02d} s" if minutes else f"{whole} s"


def _ascii_only() -> bool:
    # JSON has an escape for what another encoding cannot write.
    return "utf" not in (sys.stdout.encoding or "").lower()


def _write(line: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    # A lone surrogate or an old terminal must not end the command.
    sys.stdout.write(line.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stdout.flush()
