"""`convo verify`: an export folder checked from its files alone, without a gateway."""

from pathlib import Path
from typing import Annotated

import typer

from convo_gateway.cli.client import Document
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.options import JsonOption
from convo_gateway.cli.render import plural, print_document, print_text, say
from convo_gateway.exports.verify import Verified, verify_folder
from convo_gateway.shapes.export_manifest import MANIFEST

__all__ = ["verify"]


def verify(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of an export.")],
    as_json: JsonOption = False,
) -> None:
    """Count and hash everything in an export folder anew, and compare it with the manifest.

    No gateway is needed. Exit code 0 where all is as the manifest says, 1 where something differs: then the first
    difference of each file is named, and every count that is wrong.
    """
    if not (folder / MANIFEST).is_file():
        raise CommandError(f"There is no export in {folder}: it has no {MANIFEST}.", Exit.NOT_FOUND)
    try:
        checked = verify_folder(folder)
    except ValueError as error:
        raise CommandError(str(error), Exit.USAGE) from None
    if as_json:
        print_document(_document(folder, checked))
    else:
        _print(checked)
    raise typer.Exit(Exit.FAILURES if checked.differences else Exit.OK)


def _print(checked: Verified) -> None:
    print_text(
        f"{checked.name}: {plural(checked.files, 'file')}, {plural(checked.bytes, 'byte')}, "
        f"{plural(checked.rows, 'row')}, {plural(checked.conversations, 'conversation')}"
    )
    for found in checked.differences:
        say(f"x {found.file}: {found.what}")
    if not checked.differences:
        print_text("Every hash and every count is as the manifest says.")


def _document(folder: Path, checked: Verified) -> Document:
    return {
        "folder": str(folder),
        "name": checked.name,
        "verified": not checked.differences,
        "files": checked.files,
        "bytes": checked.bytes,
        "rows": checked.rows,
        "conversations": checked.conversations,
        "differences": [{"file": found.file, "what": found.what} for found in checked.differences],
    }
