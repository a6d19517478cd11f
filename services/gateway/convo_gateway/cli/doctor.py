"""`convo doctor` says what is wrong on this machine and with the servers, and what to do."""

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from convo_events.errors import ConvoError
from convo_events.settings import Settings
from convo_gateway.cli.options import HomeOption
from convo_gateway.stack.findings import Finding, Level, note, problem
from convo_gateway.stack.home import DATABASE, DEFAULT_HOME, Home
from convo_gateway.stack.machine_checks import check_machine
from convo_gateway.stack.plan import DEFAULT_PORT, GATEWAY
from convo_gateway.stack.server_checks import check_database, check_log, check_monitor

__all__ = ["doctor", "examine"]

MARKS = {Level.GOOD: "[green]ok[/green]", Level.NOTE: "[yellow]!![/yellow]"}
BAD = "[red]xx[/red]"


def doctor(
    home: HomeOption = DEFAULT_HOME,
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Port that the gateway shall have.")
    ] = DEFAULT_PORT,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check this machine, NATS and Postgres. Exit code 0 if all is well, else 1."""
    root = Home(home.expanduser().absolute())
    findings = asyncio.run(examine(root, port, os.environ))
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _show(findings)
    if any(finding.level is Level.PROBLEM for finding in findings):
        raise typer.Exit(1)


async def examine(home: Home, port: int, environ: Mapping[str, str]) -> list[Finding]:
    """Findings about the machine, then about the servers if there should be any."""
    found = check_machine(home, port)
    variables = _service_variables(home, environ)
    if not variables:
        return [*found, note("servers", "NATS and Postgres are down.", "Start them: convo up")]
    try:
        settings = Settings.from_env(variables)
        settings.dsn(), settings.nats_password()
    except (ConvoError, OSError) as error:
        return [*found, problem("servers", str(error), "Correct the environment.")]
    return [
        *found,
        await check_monitor(settings.nats_monitor_url),
        await check_log(settings),
        *await check_database(settings),
    ]


def _service_variables(home: Home, environ: Mapping[str, str]) -> dict[str, str]:
    """How the gateway finds the servers: the running stack, over it what the caller says.

    Empty when no stack runs and the caller does not name both servers.
    """
    running = home.read_stack()
    given = {key: value for key, value in environ.items() if key.startswith("CONVO_")}
    if not running and not {"CONVO_NATS_URL", "CONVO_DATABASE_URL"} <= given.keys():
        return {}
    ours = {
        "CONVO_NATS_USER": GATEWAY,
        "CONVO_NATS_PASSWORD_FILE": str(home.password_file(GATEWAY)),
    }
    if running:
        ours |= {
            "CONVO_NATS_URL": str(running.get("nats_url", "")),
            "CONVO_NATS_MONITOR_URL": str(running.get("monitor_url", "")),
            "CONVO_DATABASE_URL": str(running.get("database_url", "")),
        }
        if "CONVO_DATABASE_URL" not in given:
            ours["CONVO_DATABASE_PASSWORD_FILE"] = str(home.password_file(DATABASE))
    return ours | given


def _show(findings: list[Finding]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for finding in findings:
        mark = MARKS.get(finding.level, BAD)
        console.print(f"{mark} {finding.check:<10} {escape(finding.what)}")
        if finding.advice:
            console.print(f"   {'':<10} {escape(finding.advice)}")
