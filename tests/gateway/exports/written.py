"""Examples for tests of formats, and the files that a format makes of them, without a gateway."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from convo_gateway.exports.columns import COLUMNS, Column
from convo_gateway.exports.examples import Example, Message, Misfit
from convo_gateway.exports.known_formats import format_named
from convo_gateway.shapes.export_manifest import FileMade
from convo_gateway.shapes.export_wishes import ExportOptions

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOSTILE = (
    "quotes \" ' ` and \\ \\n {{ x }} {% %}, semicolons; tabs\t",
    "line\nbreak\r\n\u2028\u2029\u0085\x01\x1f\x7f",
    "\u202eright to left \U0001f468\u200d\U0001f469 e\u0301 \ufeff\ufffe",
    '{"messages": []}\n{"messages": []}',
)


def example(
    *turns: str,
    first: str = "user",
    system: str = "",
    columns: Sequence[Column] = COLUMNS,
    **metadata: object,
) -> Example:
    """A conversation in which user and assistant speak in turn."""
    roles = ("user", "assistant") if first == "user" else ("assistant", "user")
    said = tuple(Message(roles[at % 2], text) for at, text in enumerate(turns))
    messages = (Message("system", system), *said) if system else said
    known: dict[str, object] = {
        "conversation": "run-a.0.0",
        "run": "run-a",
        "snapshot": "a" * 64,
        "seed_group": "group",
        "split": "train",
        "status": "accepted",
        "reason": "",
        "review": "",
        "edited": False,
        "turns": len(turns),
        "words": 2 * len(turns),
        "cost_micro": 10,
        "unknown_calls": 0,
        "also": [],
        "criteria": [],
        "reviews": [],
        "created_at": AT,
    }
    return Example(messages, {one.name: (known | metadata).get(one.name) for one in columns})


def written(
    folder: Path,
    examples: Sequence[Example],
    *,
    columns: Sequence[Column] = COLUMNS,
    **options: object,
) -> tuple[list[FileMade], list[str]]:
    """The files, and why conversations have no place in them."""
    chosen = ExportOptions.model_validate(options)
    sink = format_named(chosen.format).sink(folder, chosen, columns)
    why: list[str] = []

    def skip(_: Example, misfit: Misfit) -> None:
        why.append(misfit.why)

    for one in examples:
        misfit = sink.write(one)
        if misfit is not None:
            skip(one, misfit)
    return sink.close(skip), why


def counted(folder: Path, files: Sequence[FileMade], name: str) -> int:
    """Rows that the format reads again."""
    return sum(1 for file in files for _ in format_named(name).rows(folder / file.path))
