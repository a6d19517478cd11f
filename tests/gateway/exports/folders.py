"""A whole export folder of given examples, made without a database."""

from collections.abc import Sequence
from pathlib import Path

from convo_gateway.exports.card import card_of
from convo_gateway.exports.columns import COLUMNS, Column
from convo_gateway.exports.examples import Example
from convo_gateway.exports.known_formats import format_named
from convo_gateway.exports.make import Folder, Order, version_of
from convo_gateway.exports.source import scope_of_run
from convo_gateway.exports.writing import write_file
from convo_gateway.shapes.counts import Counted, added
from convo_gateway.shapes.export_manifest import (
    MANIFEST,
    ExportCoverage,
    ExportMissing,
    FolderManifest,
    Made,
    RunPart,
    Source,
)
from convo_gateway.shapes.export_wishes import ExportOptions
from tests.gateway.exports.written import AT


def folder_of(
    folder: Path,
    examples: Sequence[Example],
    *,
    name: str = "A name",
    runs: Sequence[RunPart] = (),
    columns: Sequence[Column] = COLUMNS,
    **options: object,
) -> Path:
    """The folder, with its card and its manifest; its population are these examples."""
    chosen = ExportOptions.model_validate(options)
    order = Order(
        name=name,
        source=Source(kind="filter", name=""),
        scope=scope_of_run("run-a"),
        options=chosen,
        statuses=("accepted",),
        made=Made(at=AT, position=7),
        version="1.0",
    )
    form = format_named(chosen.format)
    folder.mkdir(parents=True)
    made = Folder(folder, order, form, columns)
    made.write(examples)
    files = made.close()
    counts = made.tally.counts()
    why = [
        ExportMissing(why=side, code=code, count=count)
        for (side, code), count in sorted(made.missing.items())
    ]

    def counted(value: int) -> Counted:
        return Counted(value=value, unit="conversations", scope="the filter", of=len(examples))

    manifest = FolderManifest(
        format_version=version_of(columns, runs),
        convo="1.0",
        name=order.name,
        made=order.made,
        source=order.source,
        options=chosen,
        statuses=["accepted"],
        counts=counts,
        coverage=ExportCoverage(
            population=counted(len(examples)),
            written=counted(counts.conversations),
            missing=counted(len(examples) - counts.conversations),
            why=why,
        ),
        runs=list(runs),
        cost=added([run.cost for run in runs]),
        files=files,
    )
    card = write_file(folder, "README.md", card_of(manifest, form, columns).encode(), "card")
    whole = manifest.model_copy(update={"files": [card, *files]}).sealed()
    (folder / MANIFEST).write_bytes(whole.body())
    return folder


def run_part(run: str, **changes: object) -> RunPart:
    """A run of a manifest whose snapshot is not kept."""
    known: dict[str, object] = {
        "run": run,
        "name": f"Name of {run}",
        "config": "quick",
        "config_version": 3,
        "config_hash": None,
        "snapshot": "a" * 64,
        "snapshot_file": None,
        "mode": "dialogue",
        "seed": 7,
        "status": "completed",
        "complete": True,
        **dict.fromkeys(("planned", "accepted", "rejected", "failed", "cancelled"), 1),
        "cost": added([]),
    }
    return RunPart.model_validate(known | changes)
