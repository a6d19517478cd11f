"""An export folder checked from its files alone: every hash and every count anew, and the first difference of each."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import JsonValue, ValidationError

from convo_events.errors import Invalid
from convo_gateway.exports.format import Format, lines_of
from convo_gateway.exports.known_formats import format_named
from convo_gateway.exports.tally import Tally
from convo_gateway.exports.writing import BLOCK, Digest
from convo_gateway.shapes.counts import added
from convo_gateway.shapes.export_manifest import (
    FORMAT_VERSIONS,
    MANIFEST,
    ExportCounts,
    FileMade,
    FolderManifest,
    seal_of,
)

_CHUNK = 1_048_576
_MOST_MANIFEST = 500_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not what the manifest says."""

    file: str
    """Below the folder."""
    what: str
    """What differs, where, what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a check found."""

    name: str
    files: int
    """Files that were hashed."""
    bytes: int
    rows: int
    conversations: int
    differences: tuple[Difference, ...]
    """The first one of each file, and every count that is wrong; empty where all is as the manifest says."""


def verify_folder(folder: Path, told: Callable[[str], None] = lambda _: None) -> Verified:
    """Count and hash everything in a folder anew.

    Args:
        folder: the export.
        told: called with the path of each file as it is read.

    Raises:
        ValueError: there is no manifest that could be read.
    """
    document, manifest = _manifest(folder)
    found: list[Difference] = []
    if seal_of(document) != manifest.sha256:
        found.append(
            Difference(MANIFEST, "was changed after it was written: its own sha256 differs")
        )
    form = format_named(manifest.options.format)
    tally = Tally()
    read = 0
    for file in manifest.files:
        told(file.path)
        difference, size = _checked(folder, file, form, tally)
        read += size
        if difference:
            found.append(Difference(file.path, difference))
    found += [Difference(path, "is not in the manifest") for path in _strangers(folder, manifest)]
    counts = tally.counts()
    found += [Difference(MANIFEST, what) for what in _wrong_counts(folder, manifest, counts)]
    return Verified(
        name=manifest.name,
        files=len(manifest.files),
        bytes=read,
        rows=counts.rows,
        conversations=counts.conversations,
        differences=tuple(found),
    )


def _manifest(folder: Path) -> tuple[dict[str, JsonValue], FolderManifest]:
    file = folder / MANIFEST
    try:
        if file.stat().st_size > _MOST_MANIFEST:
            raise ValueError(f"{file} is too large to be a manifest")
        document = orjson.loads(file.read_bytes())
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{file} is no JSON: {error}") from None
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None
    version = document.get("format_version") if isinstance(document, dict) else None
    if version not in FORMAT_VERSIONS:
        known = " or ".join(map(str, FORMAT_VERSIONS))
        raise ValueError(f"{file} is no manifest of version {known}: it says {version!r}")
    try:
        manifest = FolderManifest.model_validate_json(orjson.dumps(document))
        format_named(manifest.options.format)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = "/".join(str(part) for part in first["loc"])
        raise ValueError(f"{file} is no manifest: {where}: {first['msg']}") from None
    except Invalid as error:
        raise ValueError(f"{file}: {error}") from None
    return document, manifest


def _checked(folder: Path, file: FileMade, form: Format, tally: Tally) -> tuple[str, int]:
    """The first difference of a file, empty where there is none, and the bytes that were read."""
    place = folder / file.path
    if not place.resolve().is_relative_to(folder.resolve()):
        return "leads out of the folder", 0
    digest = Digest()
    try:
        with place.open("rb") as content:
            while chunk := content.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        return f"cannot be read: {(error.strerror or 'error').lower()}", 0
    seen = digest.made(file.path, file.kind, split=file.split)
    rows, broken = _rows(place, file, form, tally)
    said = _difference(file, seen, rows, broken)
    return said, seen.bytes


def _rows(place: Path, file: FileMade, form: Format, tally: Tally) -> tuple[int | None, str]:
    """Rows of a file, counted; and what is wrong with the first row that cannot be read."""
    rows = 0
    try:
        if file.kind == "data":
            for conversations in form.rows(place):
                rows += 1
                tally.add(*conversations)
                if conversations[0]["split"] != file.split:
                    return (
                        rows,
                        f"row {rows} is of split {conversations[0]['split']}, not {file.split}",
                    )
        elif file.kind == "skipped":
            rows = sum(1 for _ in lines_of(place))
        else:
            return None, ""
    except (ValueError, KeyError, OSError) as error:
        return rows, f"after {rows:,} rows: {error}"
    return rows, ""


def _difference(said: FileMade, seen: FileMade, rows: int | None, broken: str) -> str:
    """What differs, with its place; empty where nothing does."""
    found = [broken] if broken else []
    if seen.sha256 != said.sha256:
        found.append(f"its bytes differ, {_place(said, seen)}")
    if seen.bytes != said.bytes:
        found.append(f"{seen.bytes:,} bytes, expected {said.bytes:,}")
    if rows != said.rows and not broken:
        found.append(f"{rows:,} rows, expected {said.rows:,}")
    return "; ".join(found)


def _place(said: FileMade, seen: FileMade) -> str:
    """Where two files begin to differ, as far as their digests tell."""
    for number, (one, other) in enumerate(zip(said.blocks, seen.blocks, strict=False)):
        if one != other:
            return f"first between byte {number * BLOCK:,} and {(number + 1) * BLOCK:,}"
    same = min(len(said.blocks), len(seen.blocks))
    return f"first after byte {same * BLOCK:,}"


def _strangers(folder: Path, manifest: FolderManifest) -> Iterator[str]:
    """Data files that nobody counted; anything else that a person put there is theirs."""
    known = {file.path for file in manifest.files}
    for place in sorted((folder / "data").rglob("*")):
        path = place.relative_to(folder).as_posix()
        if place.is_file() and path not in known:
            yield path


def _wrong_counts(folder: Path, manifest: FolderManifest, counts: ExportCounts) -> Iterator[str]:
    """Every count of the manifest that the files do not bear out."""
    for name, value in counts.model_dump().items():
        said = getattr(manifest.counts, name)
        if isinstance(value, dict):
            yield from _wrong_group(name, said, value)
        elif value != said:
            yield f"counts/{name} says {said:,}, the files have {value:,}"
    coverage = manifest.coverage
    sums = {
        "written/value": (coverage.written.value, counts.conversations),
        "written/of": (coverage.written.of, coverage.population.value),
        "missing/of": (coverage.missing.of, coverage.population.value),
        "missing/value": (coverage.missing.value, coverage.population.value - counts.conversations),
        "why": (sum(one.count for one in coverage.why), coverage.missing.value),
    }
    for name, (said, value) in sums.items():
        if said != value:
            yield f"coverage/{name} says {said:,}, the other counts make {value:,}"
    if manifest.cost != added([run.cost for run in manifest.runs]):
        yield "cost is not the sum over its runs"
    yield from _wrong_snapshots(folder, manifest)
    left_out = _left_out(folder, manifest)
    told = {(one.why, one.code): one.count for one in manifest.coverage.why if one.why in _LISTED}
    for side, code in sorted(left_out.keys() | told.keys()):
        said, value = told.get((side, code), 0), left_out.get((side, code), 0)
        if said != value:
            yield f"coverage/why {side} {code} says {said:,}, skipped.jsonl has {value:,}"


_LISTED = ("format", "review")


def _wrong_group(name: str, said: Mapping[str, int], value: Mapping[str, int]) -> Iterator[str]:
    for key in sorted(said.keys() | value.keys()):
        if said.get(key, 0) != value.get(key, 0):
            yield f"counts/{name}/{key} says {said.get(key, 0):,}, the files have {value.get(key, 0):,}"


def _wrong_snapshots(folder: Path, manifest: FolderManifest) -> Iterator[str]:
    """Runs whose snapshot or config is not what its hash says."""
    for run in manifest.runs:
        if run.snapshot_file is None:
            continue
        try:
            body = (folder / run.snapshot_file).read_bytes()
            config = orjson.dumps(orjson.loads(body)["config"], option=orjson.OPT_SORT_KEYS)
        except (OSError, ValueError, KeyError, TypeError):
            yield f"runs/{run.run}: {run.snapshot_file} is no snapshot"
            continue
        if hashlib.sha256(body).hexdigest() != run.snapshot:
            yield f"runs/{run.run}/snapshot is not the hash of {run.snapshot_file}"
        elif hashlib.sha256(config).hexdigest() != run.config_hash:
            yield f"runs/{run.run}/config_hash is not the hash of the config in {run.snapshot_file}"


def _left_out(folder: Path, manifest: FolderManifest) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for file in manifest.files:
        if file.kind == "skipped":
            try:
                for row in lines_of(folder / file.path):
                    found[str(row.get("left_out_by")), str(row.get("why"))] += 1
            except (ValueError, OSError):
                continue  # said of the file itself already
    return found
