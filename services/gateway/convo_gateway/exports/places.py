"""Where the files of exports lie: a folder for each, made under another name and put in place when it is whole."""

import shutil
from pathlib import Path


class Places:
    """The folder of exports."""

    def __init__(self, root: Path) -> None:
        """Nothing is made before it is needed."""
        self.root = root

    def of(self, export: str) -> Path:
        """Folder of an export that is done."""
        return self.root / export

    def _scratch(self, export: str, fence: int) -> Path:
        return self.root / f".{export}.{fence}"

    def begin(self, export: str, fence: int) -> Path:
        """A new folder to make an export in; what older holders left of it is gone.

        Raises:
            OSError: it cannot be made.
        """
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._remove_scratch(export)
        scratch = self._scratch(export, fence)
        scratch.mkdir(mode=0o700)
        return scratch

    def put(self, export: str, fence: int) -> None:
        """Put in place what is whole.

        Raises:
            OSError: it cannot be put there.
        """
        place = self.of(export)
        if place.exists():
            shutil.rmtree(place)
        self._scratch(export, fence).rename(place)

    def clear(self, export: str, fence: int) -> None:
        """Delete what is left of a making."""
        shutil.rmtree(self._scratch(export, fence), ignore_errors=True)

    def remove(self, export: str) -> None:
        """Delete everything of an export."""
        shutil.rmtree(self.of(export), ignore_errors=True)
        self._remove_scratch(export)

    def _remove_scratch(self, export: str) -> None:
        for place in self.root.glob(f".{export}.*"):
            shutil.rmtree(place, ignore_errors=True)

    def untouched(self, since: float) -> set[str]:
        """The exports that have files here which nobody touched after a moment, in seconds since 1970."""
        if not self.root.is_dir():
            return set()
        return {
            place.name.removeprefix(".").partition(".")[0]
            for place in self.root.iterdir()
            if place.is_dir() and place.stat().st_mtime < since
        }
