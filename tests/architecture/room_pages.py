"""The tables of files in the README of each room, from the modules' own first lines.

``python -m tests.architecture.room_pages`` writes them anew. A table follows a mark that names its folder.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = re.compile(r"(<!-- files of (\S+) -->\n)(?:\|.*\n)*")
LEFT_OUT = {"__init__.py", "__main__.py"}


def room_pages() -> list[Path]:
    """The README of every room."""
    return sorted(ROOT.glob("libs/*/README.md")) + sorted(ROOT.glob("services/*/README.md"))


def written(page: str) -> str:
    """The page with its tables as the modules are now."""
    return TABLE.sub(lambda found: found[1] + _table(ROOT / found[2]), page)


def _table(folder: Path) -> str:
    files = sorted(path for path in folder.glob("*.py") if path.name not in LEFT_OUT)
    rows = [f"| `{path.stem}` | {_first_sentence(path)} |" for path in files]
    return "\n".join(["| file | what is in it |", "|---|---|", *rows, ""])


def _first_sentence(path: Path) -> str:
    """The first paragraph of a module's docstring, without the command that it may end in."""
    paragraph = (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n\n")[0]
    line = " ".join(paragraph.split()).partition(": ``python")[0]
    return line.replace("``", "`").replace("|", "\\|").rstrip(".")


def main() -> int:
    """Write every page; exit code 0."""
    for page in room_pages():
        page.write_text(written(page.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
