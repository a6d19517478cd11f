"""`convo config check` and `convo config preview`: places of problems, exit codes, and what a seed draws."""

from pathlib import Path

import pytest

from convo_gateway.cli.estimate_text import print_estimate
from convo_gateway.shapes.estimate import Estimate
from convo_gateway.shapes.start import EstimateAnswer
from tests.gateway.catalog.samples import config
from tests.gateway.cli.conftest import CONFIG, Convo
from tests.gateway.cli.world import World
from tests.gateway.estimating import estimated, past, runs

MESSY = """
kind: persona
name: bo
summary: A carpenter.
---
kind: run-config
name: messy
mode: dialogue
target_count: many
prompt_set: tlak
personas: [{name: adda}, {name: bo}]
voices: [{name: plain}]
length_mix:
  - {turns: [3, 5], share: 1}
roles:
  user: {backend: paid, model: small}
  assistant: {backend: paid, model: smal}
"""


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    file = tmp_path / "messy.yaml"
    file.write_text(MESSY)
    return file


def test_every_problem_of_a_file_with_its_place(online: World, convo: Convo, messy: Path) -> None:
    said = convo("config", "check", str(messy))
    assert said.code == 2
    lines = said.err.splitlines()
    assert f'  {messy}:9:15: /target_count: found the text "many", expected a whole number' in lines
    assert any(line.startswith(f"  {messy}:10:13: /prompt_set:") for line in lines)
    assert any(f"{messy}:11:19: /personas/0/name:" in line and '"ada"?' in line for line in lines)
    assert any("/roles/assistant/model" in line and '"small"?' in line for line in lines)
    # What the file has itself is found there, and what it does not have in the catalog.
    assert not any('"bo"' in line or '"plain"' in line for line in lines)
    assert any(line.startswith(f"Warning: {messy}:14:13: /length_mix/0/turns") for line in lines)
    found = convo("config", "check", str(messy), "--json")
    assert found.code == 2
    assert found.document["startable"] is False
    place = {p["pointer"]: (p["line"], p["column"]) for p in found.document["problems"]}
    assert place["/target_count"] == (9, 15)


def test_a_file_that_is_right_and_a_config_by_name(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    said = convo("config", "check", "cheap")
    assert said.code == 0
    assert "valid  cheap; a run costs about $" in said.out
    # One persona and one voice draw one conversation, and the config makes four.
    assert "1 distinct draw of" in said.out
    assert convo("config", "check", "not-there").code == 3
    alone = tmp_path / "alone.yaml"
    alone.write_text(CONFIG[CONFIG.index("kind: run-config") :])
    assert convo("config", "check", str(alone)).code == 0
    assert convo("config", "check", str(tmp_path / "not-there.yaml")).code == 2
    found = convo("config", "check", "cheap", "--json").document
    assert (found["startable"], found["checked"]) == (True, ["cheap"])


def test_without_a_gateway_a_file_is_checked_by_itself(
    convo: Convo, messy: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "whole"
    folder.mkdir()
    (folder / "all.yaml").write_text(CONFIG)
    nobody = ("--gateway", "http://127.0.0.1:9")
    assert convo("config", "check", str(folder), *nobody).code == 0
    said = convo("config", "check", str(messy), *nobody)
    assert said.code == 2
    assert "no gateway was asked for it" in said.err
    assert "/target_count" in said.err


def test_a_preview_draws_what_the_run_will_draw(online: World, convo: Convo) -> None:
    said = convo("config", "preview", "cheap", "--count", "1000", "--seed", "7", "--limit", "3")
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert lines[0] == "cheap version 1, seed 7: 1,000 conversations in 16 threads"
    assert lines[2].split() == ["Index", "Thread", "Persona", "Voice", "Turns"]
    assert lines[3].split() == ["0", "0", "ada", "plain", "2"]
    assert any("####" in line and "100.0 %" in line for line in lines)
    assert "1 distinct draw of" in said.out
    document = convo("config", "preview", "cheap", "--index", "2", "--json").document
    assert [one["index"] for one in document["window"]] == [2]
    again = convo("config", "preview", "cheap", "--json").document["window"][2]
    assert document["window"] == [again]


def test_an_estimate_says_what_ended_runs_tell(capsys: pytest.CaptureFixture[str]) -> None:
    guess = estimated(config(target_count=100), runs(past(), past(), past()))
    print_estimate(_answer(guess))
    said = capsys.readouterr().out
    assert "20 by rules, 10 by diversity, 10 by judge, 10 by failures" in said
    assert "judge: 0.7 a conversation, 600 tokens in, 20 out" in said
    assert "3 ended runs of this config with the same prompts; 30 conversations" in said
    assert "range: 2 standard deviations of what 3 completed runs used" in said


def test_what_is_lost_of_few_is_not_said_to_be_none(capsys: pytest.CaptureFixture[str]) -> None:
    print_estimate(_answer(estimated(config(target_count=1), runs(past(), past(), past()))))
    assert "under 1 by rules, under 1 by diversity" in capsys.readouterr().out


def _answer(guess: Estimate) -> EstimateAnswer:
    return EstimateAnswer(
        config="small-run",
        config_version=1,
        estimate=guess,
        needs_confirmation=False,
        off_peak=None,
        warnings=[],
    )


def test_prompts_of_a_conversation_as_they_would_be_sent(online: World, convo: Convo) -> None:
    said = convo("config", "preview", "cheap", "--index", "1", "--prompts")
    assert said.code == 0, said.err
    assert "== user, segment user, turns 1, about" in said.out
    assert "You are A mathematician who asks short questions. Ask something." in said.out
    assert convo("config", "preview", "cheap", "--index", "4", "--prompts").code == 2
    assert convo("config", "preview", "nowhere").code == 3
