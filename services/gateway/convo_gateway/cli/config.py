"""`convo config`: check what a run would start from, preview what it draws, and make one of it."""

import typer

from convo_gateway.cli.config_check import check
from convo_gateway.cli.config_preview import preview
from convo_gateway.cli.sample import sample

__all__ = ["app"]

app = typer.Typer(
    help="Check run configs, preview what they draw, and make one of it.", no_args_is_help=True
)
app.command("check")(check)
app.command("preview")(preview)
app.command("sample")(sample)
