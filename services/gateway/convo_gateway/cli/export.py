"""`convo run export`: the conversations of a run and the manifest that proves them, in a new folder."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from convo_gateway.cli.client import Document, Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.folders import new_folder
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import plural, print_document, print_text
from convo_gateway.shapes.counts import Shape
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["CONVERSATIONS", "MANIFEST", "Exported", "export", "export_run"]

CONVERSATIONS = "conversations.jsonl"
MANIFEST = "manifest.json"
DEFAULT_FOLDER = Path("exports")


class _Manifest(Shape):
    """What the check needs of a manifest."""

    conversations: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    folder: Path
    conversations: int
    sha256: str
    """Of the file of conversations."""


def export(
    run: Annotated[str, typer.Argument(metavar="ID", help="Id of the run.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="New folder. [default: exports/ID]"),
    ] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            help="accepted, rejected, failed, cancelled, open or all; may be repeated."
            " [default: accepted]"
        ),
    ] = None,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Write the conversations of a run as JSON lines, with a manifest, into a new folder.

    The folder is complete or not there: it is built beside its place, the digests are checked, then it is renamed.
    """
    place = out or DEFAULT_FOLDER / run
    statuses = status or ["accepted"]
    done = with_gateway(gateway, home, lambda api: export_run(api, run, place, statuses))
    if as_json:
        print_document(
            {
                "run": run,
                "folder": str(done.folder),
                "conversations": done.conversations,
                "sha256": done.sha256,
            }
        )
        return
    print_text(f"{plural(done.conversations, 'conversation')} ({', '.join(statuses)}) of run {run}")
    print_text(f"{done.folder / CONVERSATIONS}")
    print_text(f"{done.folder / MANIFEST}")


async def export_run(api: Gateway, run: str, place: Path, statuses: list[str]) -> Exported:
    """Write a run's conversations and manifest into a new folder.

    Raises:
        CommandError: the folder is in use, the gateway refuses, or what came is not what the manifest says.
    """
    with new_folder(place) as scratch:
        lines, digest = await _fetch(api, run, statuses, scratch / CONVERSATIONS)
        manifest = await api.get(f"runs/{run}/export/manifest", format="jsonl", status=statuses)
        _verify(manifest, lines, digest)
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        (scratch / MANIFEST).write_text(text, encoding="utf-8")
    return Exported(place, lines, digest)


async def _fetch(api: Gateway, run: str, statuses: list[str], file: Path) -> tuple[int, str]:
    """Stream the conversations into a file: how many lines, and their SHA-256."""
    digest = hashlib.sha256()
    lines = 0
    async with api.download(f"runs/{run}/export", format="jsonl", status=statuses) as answer:
        with file.open("wb") as out:
            async for chunk in answer.chunks:
                digest.update(chunk)
                lines += chunk.count(b"\n")
                out.write(chunk)
    return lines, digest.hexdigest()


def _verify(manifest: Document, lines: int, digest: str) -> None:
    """Compare what came with what the manifest says of it."""
    said = read_as(_Manifest, manifest)
    for name, came, expected in (
        ("conversations", lines, said.conversations),
        ("SHA-256", digest, said.sha256),
    ):
        if came != expected:
            raise CommandError(
                f"The export is not what its manifest says: {name} {came}, expected {expected}.",
                Exit.CONFLICT,
                advice="The run went on meanwhile, or the download was damaged: export it again.",
            )
