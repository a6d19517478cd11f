"""The command `convo`: its nouns, and the one place where errors become words and exit codes."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from typing import Annotated

import typer
from rich.text import Text
from typer.core import TyperGroup
from typer.main import get_command

from convo_events.errors import ConvoError, Invalid, NotFound, Problem, Refused, Unavailable
from convo_gateway.cli.exits import EXIT_CODES, CommandError, Exit
from convo_gateway.cli.render import clean, error_console, placed
from convo_gateway.stack.errors import StackError

__all__ = ["app_for", "command_for", "main"]

_CODES_HELP = "Exit codes: " + "; ".join(
    f"{code.value} {said}" for code, said in EXIT_CODES.items()
)
_NOUNS = ("run", "catalog", "config", "conversation", "imports", "model")
"""Modules of this package whose ``app`` has the commands."""
_VERBS = {
    "up": ("up", "up"),
    "down": ("up", "down"),
    "doctor": ("doctor", "doctor"),
    "demo": ("demo", "demo"),
    "import": ("import_files", "import_files"),
    "export": ("dataset", "export"),
    "verify": ("verify", "verify"),
}
"""Command to the module of this package that has it, and its function there."""


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The application, with the one noun that the arguments begin with; with all of them where there is none.

    What a command stands on is imported only when it is asked for: a second of start-up for what nobody wants is long.
    """
    first = next((word for word in arguments if not word.startswith("-")), None)
    known = [*_NOUNS, *_VERBS]
    wanted = [first] if first in known else [] if "--version" in arguments else known
    app = typer.Typer(
        name="convo",
        help="Make conversations with language models, filter and judge them, and keep the proof.",
        epilog=_CODES_HELP,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(everywhere)
    for name in wanted:
        module, function = _VERBS.get(name, (name, ""))
        found = import_module(f"convo_gateway.cli.{module}")
        if function:
            app.command(name, epilog=_CODES_HELP)(getattr(found, function))
        else:
            app.add_typer(found.app, name=name)
    return app


def command_for(arguments: Sequence[str]) -> TyperGroup:
    """`app_for` as a command whose lists of commands say the whole first sentence of each, not its beginning."""
    command = get_command(app_for(arguments))
    assert isinstance(command, TyperGroup)
    _say_all(command)
    return command


def _say_all(group: TyperGroup) -> None:
    for command in group.commands.values():
        command.short_help = " ".join((command.help or "").partition("\n\n")[0].split())
        if isinstance(command, TyperGroup):
            _say_all(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"convo {metadata.version('convo')}")
        raise typer.Exit


def everywhere(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Print it."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the stack of an error (also CONVO_DEBUG=1).")
    ] = False,
) -> None:
    """Take the options that stand before the noun."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code; an error is words on standard error and never a stack."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given or os.environ.get("CONVO_DEBUG") == "1"
    try:
        command_for(given)(given)
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
    except Exception as error:
        if debug:
            raise
        sys.exit(_explain(error))


def _explain(error: Exception) -> int:
    """Say what went wrong and what to do; the exit code."""
    match error:
        case CommandError():
            _complain(error.message, error.problems, error.advice)
            return error.code
        case StackError():
            _complain(str(error), (), "")
            return error.exit_code
        case Invalid():
            many = len(error.problems)
            found = "1 problem" if many == 1 else f"{many} problems"
            _complain(f"{error.source or 'The input'}: {found}", error.problems, "")
            return Exit.USAGE
        case NotFound():
            _complain(str(error), (), "")
            return Exit.NOT_FOUND
        case Refused():
            _complain(str(error), (), "")
            return Exit.CONFLICT
        case Unavailable():
            _complain(str(error), (), "")
            return Exit.UNREACHABLE
        case ConvoError() | OSError():
            _complain(str(error), (), "")
            return Exit.FAILURES
    _complain(
        f"convo broke: {type(error).__name__}: {error}",
        (),
        "This is a fault of convo. The same command with --debug in front shows where.",
    )
    return Exit.FAILURES


def _complain(message: str, problems: Sequence[Problem], advice: str) -> None:
    console = error_console()
    console.print(Text("x ", style="red") + Text(clean(message)))
    for problem in problems:
        if str(problem) in message:
            continue  # the gateway's headline has the first one in full
        console.print(Text(f"  {clean(placed(problem))}"))
    if advice:
        console.print(Text(f"  {clean(advice)}"))


if __name__ == "__main__":
    main()
