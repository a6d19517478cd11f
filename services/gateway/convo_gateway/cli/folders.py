"""A new folder that is complete or not there: built beside its place, then put in place at once."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from convo_gateway.cli.exits import CommandError, Exit

__all__ = ["new_folder"]


@contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """A scratch folder beside the place; it gets the place's name when the block ends well.

    Raises:
        CommandError: the place has something in it, or cannot be written.
    """
    if place.exists() and not (place.is_dir() and not any(place.iterdir())):
        what = "is not empty" if place.is_dir() else "is a file"
        raise CommandError(
            f"{place} {what}; nothing was written.", Exit.CONFLICT, advice="Name a new folder."
        )
    scratch = _scratch(place)
    try:
        yield scratch
        scratch.chmod(0o755)
        # Renaming over an empty folder is allowed, over one that was filled meanwhile it fails.
        scratch.rename(place)
    except OSError as error:
        raise _unwritable(place, error) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _scratch(place: Path) -> Path:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    except OSError as error:
        raise _unwritable(place, error) from error


def _unwritable(place: Path, error: OSError) -> CommandError:
    return CommandError(
        f"{place} cannot be written: {error.strerror or error}",
        Exit.FAILURES,
        advice="Name another folder, or make room on the disk.",
    )
