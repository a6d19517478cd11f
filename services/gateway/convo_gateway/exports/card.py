"""The card of an export: a README with the front matter that dataset hubs read, and the story in words. Pure."""

import io
import re
from collections.abc import Sequence
from typing import TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from convo_gateway.exports.card_origins import GENERATED, has_imports, story, tags
from convo_gateway.exports.columns import COLUMNS, Column
from convo_gateway.exports.format import Format
from convo_gateway.shapes.export_manifest import FolderManifest

Front: TypeAlias = "dict[str, object]"
_BEGIN, _END = "<!-- made by convo: begin -->", "<!-- made by convo: end -->"
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
OURS = ("configs", "dataset_info", "size_categories")
"""Keys that say what is in the files: made anew each time. All other keys are a person's once they are there."""


def card_of(manifest: FolderManifest, form: Format, columns: Sequence[Column] = COLUMNS) -> str:
    """The README of a new folder.

    Args:
        manifest: of the folder.
        form: the format of its data.
        columns: what stands beside the turns.
    """
    front = CommentedMap(front_matter(manifest, form, columns))
    return f"---\n{_yaml(front)}---\n\n{body_of(manifest, form)}"


def merged(card: str, before: str) -> str:
    """A new card with what people wrote into the one before: their keys, their tags and their text stay.

    Args:
        card: as ``card_of`` made it.
        before: the card of the export that is replaced; it may be any text.
    """
    ours, text = _parted(card)
    theirs, their_text = _parted(before)
    for name, value in ours.items():
        if name == "tags":
            theirs["tags"] = [*_own_tags(_listed(theirs.get("tags")), value), *_listed(value)]
        elif name in OURS or name not in theirs:
            theirs[name] = value
    start, end = their_text.find(_BEGIN), their_text.find(_END)
    if 0 <= start < end:
        text = their_text[:start] + text.strip("\n") + their_text[end + len(_END) :]
    elif their_text.strip():
        text = their_text.rstrip() + "\n\n" + text.lstrip("\n")
    return f"---\n{_yaml(theirs)}---\n\n" + text.lstrip("\n")


def _own_tags(before: list[object], ours: object) -> list[object]:
    """A person's own tags: those that an earlier export of what was generated wrote are none of them."""
    kept = before
    if before[-len(GENERATED) :] == [*GENERATED]:
        kept = before[: -len(GENERATED)]
    return [tag for tag in kept if tag not in _listed(ours)]


def front_of(card: str) -> Front:
    """The front matter of a card; empty where it has none."""
    return dict(_parted(card)[0])


def _parted(card: str) -> tuple[CommentedMap, str]:
    found = _FRONT.match(card)
    if found is None:
        return CommentedMap(), card
    try:
        front = YAML(typ="rt").load(found[1])
    except YAMLError:
        # What is no front matter is text that somebody wrote.
        return CommentedMap(), card
    return (
        (front, card[found.end() :]) if isinstance(front, CommentedMap) else (CommentedMap(), card)
    )


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def _yaml(front: CommentedMap) -> str:
    writer = YAML(typ="rt")
    writer.width = 4_096
    writer.allow_unicode = True
    out = io.StringIO()
    writer.dump(front, out)
    return out.getvalue()


def front_matter(
    manifest: FolderManifest, form: Format, columns: Sequence[Column] = COLUMNS
) -> Front:
    """What hubs read: licence, language, size, tags, where the files of each split are, and what is in them."""
    counts = manifest.counts
    front: Front = {}
    if manifest.options.license:
        front["license"] = manifest.options.license
    front["task_categories"] = ["text-generation"]
    size = next((name for most, name in _SIZES if counts.rows < most), "n>1M")
    front["size_categories"] = [size]
    front["tags"] = tags(manifest)
    front["configs"] = [{"config_name": "default", "data_files": _data_files(manifest)}]
    features = form.features(columns)
    bytes_of = {
        split: sum(file.bytes for file in manifest.files if file.split == split)
        for split in manifest.options.splits
    }
    whole = sum(bytes_of.values())
    splits = [
        {"name": name, "num_bytes": size, "num_examples": counts.splits.get(name, 0)}
        for name, size in bytes_of.items()
    ]
    front["dataset_info"] = {
        **({"features": features} if features else {}),
        "splits": splits,
        "download_size": whole,
        "dataset_size": whole,
    }
    return front


def _data_files(manifest: FolderManifest) -> list[dict[str, object]]:
    """Split to the files of it."""
    return [
        {
            "split": split,
            "path": [
                file.path for file in manifest.files if file.kind == "data" and file.split == split
            ],
        }
        for split in manifest.options.splits
    ]


def body_of(manifest: FolderManifest, form: Format) -> str:
    """The story in words, between marks, so that the next export replaces it and nothing else."""
    counts, coverage = manifest.counts, manifest.coverage
    made = "exported" if has_imports(manifest) else "made"
    lines = [
        _BEGIN,
        f"# {_plain(manifest.name)}",
        "",
        f"{counts.rows:,} rows ({counts.conversations:,} of {coverage.population.value:,} conversations of "
        f"{coverage.population.scope}), {made} with convo {manifest.convo}. Form: {form.title}.",
        "",
        *_table(("split", "rows"), [(name, n) for name, n in _filled(manifest)]),
        *_table(("status", "conversations"), list(counts.statuses.items())),
        "## Where it comes from",
        "",
        *_table(
            (
                "run",
                "config",
                "mode",
                "seed",
                "planned",
                "accepted",
                "rejected",
                "failed",
                "snapshot",
            ),
            [
                (
                    run.run,
                    f"{run.config} v{run.config_version}",
                    run.mode,
                    run.seed,
                    run.planned,
                    run.accepted,
                    run.rejected,
                    run.failed,
                    run.snapshot[:12],
                )
                for run in manifest.runs[:_MOST_RUNS]
            ],
        ),
        *_more_runs(manifest),
        *_files_read(manifest),
        f"Cost of these runs: {_usd(manifest.cost.known_micro)} known, {manifest.cost.unknown_calls:,} calls whose "
        f"cost nobody knows (at most {_usd(manifest.cost.unknown_micro)}), {manifest.cost.unpriced_calls:,} without "
        "a price.",
        "",
        "## What is missing, and why",
        "",
        *(
            _table(
                ("why", "what", "reason", "layer", "conversations"),
                [
                    (
                        one.why,
                        one.code,
                        one.reason,
                        "" if one.layer is None else one.layer,
                        one.count,
                    )
                    for one in coverage.why
                ],
            )
            or ["Nothing.", ""]
        ),
        f"{story(manifest)} Check them before you rely on them. `convo verify FOLDER` counts and hashes everything "
        "in this folder anew; `manifest.json` has the numbers, `snapshots/` everything that was frozen.",
        _END,
        "",
    ]
    return "\n".join(lines)


_MOST_RUNS = 50


def _filled(manifest: FolderManifest) -> list[tuple[str, int]]:
    return [(name, manifest.counts.splits.get(name, 0)) for name in manifest.options.splits]


def _more_runs(manifest: FolderManifest) -> list[str]:
    more = len(manifest.runs) - _MOST_RUNS
    return [f"And {more:,} more runs; `manifest.json` has all of them.", ""] if more > 0 else []


def _files_read(manifest: FolderManifest) -> list[str]:
    """The files that conversations were brought in from."""
    return _table(
        ("run", "file", "SHA-256 of the file", "conversations in the file", "conversations here"),
        [
            (
                run.run,
                source.name,
                source.sha256,
                source.count,
                manifest.counts.runs.get(run.run, 0),
            )
            for run in manifest.runs[:_MOST_RUNS]
            if (source := run.source) is not None
        ],
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    if not rows:
        return []
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(_plain(str(cell)) for cell in line)} |" for line in lines] + [""]


def _plain(text: str) -> str:
    """Text on one line that makes no table, markup or mark of its own."""
    return re.sub(r"([\\|`*_<>\[\]#])", r"\\\1", " ".join(text.split())) if text != "---" else text


def _usd(micro: int | None) -> str:
    return "an unknown amount" if micro is None else f"${micro / 1_000_000:,.4f}"
