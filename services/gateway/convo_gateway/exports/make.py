"""An export folder, made from one moment of the read model: data, frozen inputs, card and manifest."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from convo_events.runs import FINAL
from convo_events.store import Connection
from convo_gateway.exports.card import card_of
from convo_gateway.exports.columns import COLUMNS, Column
from convo_gateway.exports.examples import Example, Misfit, json_line
from convo_gateway.exports.format import Format, Sink
from convo_gateway.exports.known_formats import format_named
from convo_gateway.exports.source import (
    Population,
    Scope,
    columns_of,
    examples,
    populations,
    run_facts,
)
from convo_gateway.exports.tally import Tally
from convo_gateway.exports.writing import Lines, write_file
from convo_gateway.reads.costs import costs_of
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.shapes.counts import Counted, added
from convo_gateway.shapes.export_manifest import (
    FORMAT_VERSION,
    MANIFEST,
    UNITS,
    UNITS_READ,
    ExportCoverage,
    ExportMissing,
    FileMade,
    FolderManifest,
    Made,
    RunPart,
    Source,
)
from convo_gateway.shapes.export_wishes import ExportOptions

SKIPPED = "skipped.jsonl"
Report = Callable[[int, int, int], Awaitable[None]]
"""Told after each portion: conversations looked at, how many there are, bytes written. It may raise to end it all."""


@dataclass(frozen=True, slots=True)
class Order:
    """Everything that an export is made from."""

    name: str
    source: Source
    scope: Scope
    options: ExportOptions
    statuses: tuple[str, ...]
    """Statuses that were asked for."""
    made: Made
    version: str
    """Version of convo."""


class Folder:
    """A folder in the making."""

    def __init__(
        self, folder: Path, order: Order, form: Format, columns: Sequence[Column] = COLUMNS
    ) -> None:
        """Begin its data files."""
        self.folder = folder
        self.tally = Tally()
        self.missing: Counter[tuple[str, str]] = Counter()
        self._options = order.options
        self._sink: Sink = form.sink(folder, order.options, columns)
        self._form = form
        self._skipped: Lines | None = None

    @property
    def size(self) -> int:
        """Bytes of its data files so far."""
        return self._sink.size

    def write(self, batch: Sequence[Example]) -> None:
        """Take conversations in their order."""
        for example in batch:
            against = reviewed_away(example, self._options)
            if against is not None:
                self._skip(example, against, "review")
                continue
            misfit = self._sink.write(example)
            if misfit is not None:
                self._skip(example, misfit, "format")

    def _skip(self, example: Example, misfit: Misfit, side: str = "format") -> None:
        self.missing[side, misfit.why] += 1
        if self._skipped is None:
            self._skipped = Lines(self.folder, SKIPPED, zstd=False)
        own = {name: example.metadata[name] for name in ("conversation", "run", "status", "reason")}
        self._skipped.write(json_line(own | {"left_out_by": side, "why": misfit.why}))

    def close(self) -> list[FileMade]:
        """Finish the data, count what the files hold, and tell them."""
        made = self._sink.close(self._skip)
        for file in made:
            for conversations in self._form.rows(self.folder / file.path):
                self.tally.add(*conversations)
        return made + ([self._skipped.close("skipped")] if self._skipped else [])


def reviewed_away(example: Example, options: ExportOptions) -> Misfit | None:
    """Why what people decided keeps a conversation out of an export; None where it does not."""
    decided = str(example.metadata["review"])
    match options.reviews:
        case "not_flagged" if decided in ("flagged", "rejected"):
            return Misfit(f"{decided}_by_a_person")
        case "approved" if decided != "accepted":
            return Misfit("not_accepted_by_a_person")
    return None


async def make_folder(c: Connection, order: Order, folder: Path, report: Report) -> FolderManifest:
    """Write everything into a new folder; the same rows and the same order give the same files.

    Args:
        c: a connection inside a transaction in which every question sees the same.
        order: what to make.
        folder: where; it exists and is empty.
        report: told how far it is.
    """
    form = format_named(order.options.format)
    statuses = [*order.statuses, *(one for one in form.needs if one not in order.statuses)]
    matched = await populations(c, order.scope)
    total = sum(one.count for one in matched if one.status in statuses)
    await report(0, total, 0)
    columns = await columns_of(c, order.scope)
    made = await asyncio.to_thread(Folder, folder, order, form, columns)
    done = 0
    batches = examples(c, order.scope, order.options, statuses, order.source.verdict_set, columns)
    async with aclosing(batches):
        async for batch in batches:
            await asyncio.to_thread(made.write, batch)
            done += len(batch)
            await report(done, total, made.size)
    files = await asyncio.to_thread(made.close)
    runs, frozen = await _runs(c, order, folder, made)
    manifest = FolderManifest(
        format_version=version_of(columns, runs),
        convo=order.version,
        name=order.name,
        made=order.made,
        source=order.source,
        options=order.options,
        statuses=statuses,
        counts=made.tally.counts(),
        units=UNITS if columns == COLUMNS else UNITS_READ,
        coverage=_coverage(order, matched, statuses, made, runs),
        runs=runs,
        cost=added([run.cost for run in runs]),
        files=sorted([*files, *frozen], key=lambda file: file.path),
    )
    card = write_file(folder, "README.md", card_of(manifest, form, columns).encode(), "card")
    whole = manifest.model_copy(update={"files": [card, *manifest.files]}).sealed()
    (folder / MANIFEST).write_bytes(whole.body())
    return whole


def version_of(columns: Sequence[Column], runs: Sequence[RunPart]) -> int:
    """Version of the manifest: exports that an earlier convo could make keep theirs, and so their bytes."""
    return 2 if columns == COLUMNS and all(run.judged for run in runs) else FORMAT_VERSION


async def _runs(
    c: Connection, order: Order, folder: Path, made: Folder
) -> tuple[list[RunPart], list[FileMade]]:
    """The runs in the files, and the files with what they froze."""
    named = set(made.tally.counts().runs)
    if order.source.kind == "run":
        named.add(order.source.name)
    parts: list[RunPart] = []
    files: dict[str, FileMade] = {}
    for run in sorted(named):
        facts = await run_facts(c, run)
        content = str(facts.run["snapshot"])
        path = f"snapshots/{content}.json"
        body = None if path in files else await snapshot_body(c, content)
        if body is not None:
            files[path] = write_file(folder, path, body, "snapshot")
        own = {name: facts.run[name] for name in RunPart.model_fields if name in facts.run}
        parts.append(
            RunPart.model_validate(
                own
                | {
                    "config_hash": facts.config_hash,
                    "snapshot_file": path if path in files else None,
                    "complete": facts.run["status"] in FINAL,
                    "planned": facts.run["target"],
                    "source": facts.snapshot.source if facts.snapshot else None,
                    "judged": facts.snapshot is None or bool(facts.snapshot.judges()),
                    "cost": added(await costs_of(c, run)),
                }
            )
        )
    return parts, list(files.values())


def _coverage(
    order: Order,
    matched: Sequence[Population],
    statuses: Sequence[str],
    made: Folder,
    runs: Sequence[RunPart],
) -> ExportCoverage:
    """Of a run all that it was to make is the population, of anything else what the filter shows."""
    there = sum(one.count for one in matched)
    of_run = order.source.kind == "run"
    population = max(there, runs[0].planned) if of_run else there
    written = made.tally.counts().conversations
    scope = f"run {order.source.name}" if of_run else f"the {order.source.kind}"
    why = [
        ExportMissing(
            why="status", code=one.status, reason=one.reason, layer=one.layer, count=one.count
        )
        for one in matched
        if one.status not in statuses
    ]
    why += [
        ExportMissing(why=side, code=code, count=count)
        for (side, code), count in sorted(made.missing.items())
    ]
    if population > there:
        why.append(ExportMissing(why="not_made", count=population - there))

    def counted(value: int, of: int | None) -> Counted:
        return Counted(value=value, unit="conversations", scope=scope, of=of)

    return ExportCoverage(
        population=counted(population, None),
        written=counted(written, population),
        missing=counted(population - written, population),
        why=why,
    )
