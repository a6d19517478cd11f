"""A command imports what it needs and no more, so that it answers at once."""

import json
import subprocess
import sys

import pytest
from typer.core import TyperGroup

from convo_gateway.cli.main import app_for, command_for

HEAVY = (
    "aiohttp",
    "asyncpg",
    "fastapi",
    "faststream",
    "nats",
    "opentelemetry",
    "pyarrow",
    "uvicorn",
)
ASK = """
import json, sys
from convo_gateway.cli.main import app_for
app_for(json.loads(sys.argv[1]))
print(json.dumps([name for name in json.loads(sys.argv[2]) if name in sys.modules]))
"""


def loaded(*arguments: str) -> list[str]:
    """Which of the heavy packages a process has imported once the command is known."""
    command = (sys.executable, "-c", ASK, json.dumps(arguments), json.dumps(HEAVY))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--version"], []),
        (["run", "list"], ["aiohttp"]),
        (["--debug", "run", "list"], ["aiohttp"]),
        (["import"], ["aiohttp"]),
        (["imports", "list"], ["aiohttp"]),
        (["export"], ["aiohttp"]),
        (["verify"], ["aiohttp"]),
    ],
)
def test_a_command_loads_what_it_stands_on_alone(arguments: list[str], heavy: list[str]) -> None:
    assert loaded(*arguments) == heavy


@pytest.mark.parametrize("arguments", [[], ["--help"], ["no-such-word"]])
def test_without_a_known_noun_all_of_them_are_there(arguments: list[str]) -> None:
    app = app_for(arguments)
    groups = [group.name for group in app.registered_groups]
    verbs = [command.name for command in app.registered_commands]
    assert groups == ["run", "catalog", "config", "conversation", "imports", "model"]
    assert verbs == ["up", "down", "doctor", "demo", "import", "export", "verify"]


def test_lists_of_commands_say_whole_sentences() -> None:
    run = command_for(["run"]).commands["run"]
    assert isinstance(run, TyperGroup)
    said = [command.get_short_help_str() for command in run.commands.values()]
    assert said
    assert not [text for text in said if not text or text.endswith("...")]


def test_spans_cost_nothing_where_nobody_collects_them() -> None:
    ask = "import sys, convo_events.telemetry; print(any('otlp' in name for name in sys.modules))"
    done = subprocess.run((sys.executable, "-c", ask), capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
