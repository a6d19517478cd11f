"""`convo run export`: the conversations of a run and the manifest that proves them, in a new folder."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from convo_gateway.cli.client import Document, Gateway
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.folders import new_folder
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import number, print_document, print_text
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["CONVERSATIONS", "MANIFEST", "Exported", "export", "export_run"]

CONVERSATIONS = "conversations.jsonl"
MANIFEST = "manifest.json"
DEFAULT_FOLDER = Path("exports")


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
    status: Annotated[str, typer.Option(help="accepted, rejected, failed or all.")] = "accepted",
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Write the conversations of a run as JSON lines, with a manifest, into a new folder.

    The folder is complete or not there: it is built beside its place, the digests are checked, then it is renamed.
    """
    place = out or DEFAULT_FOLDER / run
    done = with_gateway(gateway, home, lambda api: export_run(api, run, place, status))
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
    print_text(f"{number(done.conversations)} conversations ({status}) of run {run}")
    print_text(f"{done.folder / CONVERSATIONS}")
    print_text(f"{done.folder / MANIFEST}")


async def export_run(api: Gateway, run: str, place: Path, status: str) -> Exported:
    """Write a run's conversations and manifest into a new folder.

    Raises:
        CommandError: the folder is in use, the gateway refuses, or what came is not what the manifest says.
    """
    with new_folder(place) as scratch:
        lines, digest = await _fetch(api, run, status, scratch / CONVERSATIONS)
        manifest = await api.get(f"runs/{run}/export/manifest", format="jsonl", status=status)
        _verify(manifest, lines, digest)
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        (scratch / MANIFEST).write_text(text, encoding="utf-8")
    return Exported(place, lines, digest)


async def _fetch(api: Gateway, run: str, status: str, file: Path) -> tuple[int, str]:
    """Stream the conversations into a file: how many lines, and their SHA-256."""
    digest = hashlib.sha256()
    lines = 0
    async with api.download(f"runs/{run}/export", format="jsonl", status=status) as answer:
        with file.open("wb") as out:
            async for chunk in answer.chunks:
                digest.update(chunk)
                lines += chunk.count(b"\n")
                out.write(chunk)
    return lines, digest.hexdigest()


def _verify(manifest: Document, lines: int, digest: str) -> None:
    """Compare what came with what the manifest says of it."""
    for name, came, said in (
        ("conversations", lines, _find(manifest, "conversations")),
        ("sha256", digest, _find(manifest, "sha256")),
    ):
        if said is not None and said != came:
            raise CommandError(
                f"The export is not what its manifest says: {name} {came}, expected {said}.",
                Exit.FAILURES,
                advice="If the run is still going, export it when it has ended; else try again.",
            )


def _find(manifest: Document, name: str) -> JsonValue:
    return manifest.get(name)
