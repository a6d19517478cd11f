"""The files of an export, brought into a folder that is complete or not there."""

import hashlib
import shutil
import tempfile
from pathlib import Path

import orjson
from pydantic import ValidationError

from convo_gateway.cli.client import Gateway
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.folders import new_folder
from convo_gateway.exports.card import merged
from convo_gateway.exports.writing import Digest
from convo_gateway.shapes.export_manifest import MANIFEST, FolderManifest
from convo_gateway.shapes.exports import ExportShown

__all__ = ["bring"]

CARD = "README.md"


async def bring(api: Gateway, shown: ExportShown, place: Path, *, replace: bool) -> None:
    """Download everything into a folder, and compare each file with its digest.

    Args:
        api: the gateway.
        shown: an export that is done.
        place: the folder.
        replace: whether an earlier export may be there; what else is in the folder stays, and so does what people
            wrote into its card.

    Raises:
        CommandError: the folder is in use, or what came is not what was made.
    """
    before = _earlier(place) if replace else None
    if before is None:
        with new_folder(place) as scratch:
            await _fetch(api, shown, scratch)
        return
    with tempfile.TemporaryDirectory(prefix=f".{place.name}.", dir=place.parent) as name:
        scratch = Path(name)
        await _fetch(api, shown, scratch)
        card = place / CARD
        if card.is_file():
            _keep_words(scratch, card.read_text("utf-8", "replace"))
        _put(scratch, place, before)


def _earlier(place: Path) -> FolderManifest | None:
    """The manifest of the export that is there; None where nothing is there."""
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return None
    try:
        return FolderManifest.model_validate_json((place / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        raise CommandError(
            f"{place} holds no export that could be replaced; nothing was written.",
            Exit.CONFLICT,
            advice="Name a new folder.",
        ) from None


async def _fetch(api: Gateway, shown: ExportShown, scratch: Path) -> None:
    assert shown.made is not None
    wanted = {file.path: file.sha256 for file in shown.made.files}
    wanted[MANIFEST] = shown.made.manifest_sha256
    for path, expected in wanted.items():
        place = scratch / path
        if not place.resolve().is_relative_to(scratch.resolve()):
            raise CommandError(f"The export has a file outside of it: {path}", Exit.FAILURES)
        place.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        async with api.download(f"exports/{shown.id}/files/{path}") as answer:
            with place.open("wb") as out:
                async for chunk in answer.chunks:
                    digest.update(chunk)
                    out.write(chunk)
        if digest.hexdigest() != expected:
            raise CommandError(
                f"{path} came damaged: its SHA-256 is {digest.hexdigest()}, expected {expected}.",
                Exit.FAILURES,
                advice=f"Bring it again with: convo export --resume {shown.id}",
            )


def _keep_words(scratch: Path, before: str) -> None:
    """Merge the new card with the one before, and have the manifest say so."""
    card = merged((scratch / CARD).read_text("utf-8"), before).encode()
    (scratch / CARD).write_bytes(card)
    digest = Digest()
    digest.update(card)
    made = digest.made(CARD, "card")
    manifest = FolderManifest.model_validate(orjson.loads((scratch / MANIFEST).read_bytes()))
    files = [made if file.path == CARD else file for file in manifest.files]
    changed = manifest.model_copy(update={"files": files}).sealed()
    (scratch / MANIFEST).write_bytes(changed.body())


def _put(scratch: Path, place: Path, before: FolderManifest) -> None:
    """Put new files in place of old ones; while that is under way the folder has no manifest."""
    (place / MANIFEST).unlink()
    for file in before.files:
        old = place / file.path
        if old.resolve().is_relative_to(place.resolve()):
            old.unlink(missing_ok=True)
    for new in sorted(one for one in scratch.rglob("*") if one.is_file()):
        path = new.relative_to(scratch)
        if path.as_posix() != MANIFEST:
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(new, place / path)
    shutil.move(scratch / MANIFEST, place / MANIFEST)
