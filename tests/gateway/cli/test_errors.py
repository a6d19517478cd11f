"""Exit codes and words where something is wrong; never a stack."""

import json
from pathlib import Path

import pytest

from convo_gateway.cli.address import find_gateway
from convo_gateway.cli.client import ApiProblem
from convo_gateway.cli.exits import EXIT_CODES, Exit
from convo_gateway.cli.render import clean, duration, usd
from convo_gateway.stack.home import Home, Lock
from tests.gateway.cli.conftest import Convo

CLOSED = "http://127.0.0.1:9"


def test_a_gateway_that_is_away_is_one_clear_line(convo: Convo) -> None:
    said = convo("run", "list", "--gateway", CLOSED)

    assert said.code == 5
    assert said.out == ""
    assert f"{CLOSED} cannot be reached: connection refused" in said.err
    assert "convo up" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "list", "--nonsense"),
        ("run", "start"),
        ("run", "start", "x", "--count", "0"),
        ("nonsense",),
        ("run", "list", "--gateway", "ftp://host"),
        ("run", "list", "--gateway", "http://[bad"),
        ("catalog", "apply", "no-such-folder"),
        ("catalog", "schema", "nonsense"),
    ],
)
def test_wrong_usage_is_2(convo: Convo, arguments: tuple[str, ...]) -> None:
    said = convo(*arguments)

    assert said.code == 2
    assert said.err
    assert "Traceback" not in said.err


def test_help_lists_every_exit_code(convo: Convo) -> None:
    said = convo("--help")

    assert said.code == 0
    words = " ".join(said.out.split())
    assert all(f"{code.value} {text}" in words for code, text in EXIT_CODES.items())
    assert set(EXIT_CODES) == set(Exit)


def test_an_unexpected_error_is_told_without_its_stack(
    convo: Convo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        raise RuntimeError("planted")

    monkeypatch.setattr("convo_gateway.cli.options.find_gateway", broken)
    said = convo("run", "list")

    assert said.code == 1
    assert "RuntimeError: planted" in said.err
    assert "--debug" in said.err
    assert "Traceback" not in said.err
    with pytest.raises(RuntimeError, match="planted"):
        convo("--debug", "run", "list")


def test_the_gateway_is_found_in_order(tmp_path: Path) -> None:
    home = Home(tmp_path)
    variables = {"CONVO_GATEWAY_URL": "http://from-env:1/"}
    lock = Lock(home)
    lock.take()
    home.stack_file.write_text(json.dumps({"gateway_url": "http://127.0.0.1:7"}))

    assert find_gateway("https://given", tmp_path, variables) == "https://given"
    assert find_gateway(None, tmp_path, variables) == "http://from-env:1"
    assert find_gateway(None, tmp_path, {}) == "http://127.0.0.1:7"
    lock.release()
    assert find_gateway(None, tmp_path, {}) == "http://127.0.0.1:8420"


def test_text_of_strangers_cannot_steer_a_terminal() -> None:
    assert clean("a\x1b[2Jb\x9bc\u202ed\r\n") == "a\ufffd[2Jb\ufffdc\ufffdd\ufffd\n"
    assert clean("naïve 漢字 🙂") == "naïve 漢字 🙂"


@pytest.mark.parametrize(
    ("micro", "shown"),
    [
        (None, "-"),
        (0, "$0.00"),
        (12, "<$0.0001"),
        (123_400, "$0.1234"),
        (1_250_000, "$1.25"),
        (12_345_678_900, "$12,345.68"),
    ],
)
def test_money_is_dollars_and_unknown_is_a_dash(micro: int | None, shown: str) -> None:
    assert usd(micro) == shown


def test_durations_are_said_in_their_own_unit() -> None:
    assert [duration(s) for s in (None, 4.4, 125, 3_840)] == [
        "-",
        "4 s",
        "2 min 05 s",
        "1 h 04 min",
    ]


def test_a_problem_document_keeps_what_scripts_need() -> None:
    problem = ApiProblem.model_validate(
        {
            "type": "urn:convo:problem:needs-confirmation",
            "status": 409,
            "estimate_micro": 5,
            "threshold_micro": 3,
            "something_new": [],
        }
    )

    assert (problem.kind, problem.estimate_micro) == ("needs-confirmation", 5)
