"""`convo config`: check and preview what a run would start from, and the JSON Schema of every kind of catalog file."""

from pathlib import Path
from typing import Annotated

import typer

from convo_events.catalog import KINDS, RunConfig
from convo_events.errors import Invalid, Problem
from convo_gateway.catalog.documents import SINGULAR, Named, kind_of, read_file, read_folder
from convo_gateway.catalog.freeze import freeze, lookup_in
from convo_gateway.cli.client import Document, Gateway
from convo_gateway.cli.config_check import check
from convo_gateway.cli.config_preview import preview
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.kinds import KindArgument, kind_named
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import print_document, print_text
from convo_gateway.cli.sample import sample
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["app"]

app = typer.Typer(
    help="Check run configs, preview what they draw, make one of it, and print the schema of a kind.",
    no_args_is_help=True,
)
app.command("check")(check)
app.command("preview")(preview)
app.command("sample")(sample)


@app.command("validate")
def validate(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE_OR_NAME", help="YAML file, folder of them, or a config's name."
        ),
    ],
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Check a file, a whole folder, or a run config of the catalog. Exit code 2 if it is not valid.

    A file is checked by itself; in a folder also whether everything that a run config names is there. A name asks the
    gateway whether a run could start from that config now.
    """
    path = Path(source)
    if path.is_dir():
        checked = validate_folder(path)
    elif path.exists() or path.suffix in {".yaml", ".yml"}:
        checked = [_called(item) for item in read_file(path)]
    else:
        with_gateway(gateway, home, lambda api: _can_start(api, source))
        checked = [f"run-config {source}"]
    if as_json:
        print_document({"valid": True, "checked": [*checked]})
        return
    print_text("\n".join(f"valid  {name}" for name in checked))


@app.command("schema")
def schema(kind: KindArgument) -> None:
    """Print the JSON Schema of a kind, for editors and other programs."""
    shape = KINDS[kind_named(kind)]
    print_document(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **shape.model_json_schema()}
    )


def validate_folder(folder: Path) -> list[str]:
    """Kind and name of everything in a folder.

    Raises:
        Invalid: with every problem of every file, or else of every run config.
    """
    objects = read_folder(folder)
    lookup = lookup_in(objects)
    problems: list[Problem] = []
    for item in objects:
        if isinstance(item, RunConfig):
            try:
                freeze(item, 1, lookup)
            except Invalid as error:
                problems += [
                    Problem(f"{problem.message} (run config {item.name})", problem.pointer)
                    for problem in error.problems
                ]
    if problems:
        raise Invalid(problems, source=str(folder))
    return [_called(item) for item in objects]


async def _can_start(api: Gateway, name: str) -> Document:
    try:
        return await api.post("runs/estimate", {"config": name})
    except CommandError as error:
        if error.code is Exit.NOT_FOUND:
            error.advice = f"A file is named by its path, such as ./{name}.yaml"
        raise


def _called(item: Named) -> str:
    return f"{SINGULAR[kind_of(item)]} {item.name}"
