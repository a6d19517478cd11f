"""The command line as people call it: arguments in, output and exit code out."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from convo_gateway.cli.main import main
from convo_gateway.stack.infrastructure import Infrastructure
from tests.gateway.cli.world import World

CONFIG = """
kind: backend
name: paid
base_url: http://127.0.0.1:9/v1
models:
  - name: small
    prices: {rates: {input: 1, output: 2}}
---
kind: persona
name: ada
summary: A mathematician who asks short questions.
---
kind: voice
name: plain
style: Write plainly.
---
kind: prompt-set
name: talk
modes: [dialogue]
segments:
  user: You are {{ persona.summary }} Ask something.
  assistant: Answer in one sentence.
---
kind: run-config
name: cheap
mode: dialogue
target_count: 4
prompt_set: talk
personas: [{name: ada}]
voices: [{name: plain}]
length_mix: [{turns: [2, 2], share: 1}]
roles:
  user: {backend: paid, model: small}
  assistant: {backend: paid, model: small}
---
kind: run-config
name: asks-first
mode: dialogue
target_count: 1000
confirm_above_usd: 0.000001
prompt_set: talk
personas: [{name: ada}]
voices: [{name: plain}]
length_mix: [{turns: [2, 2], share: 1}]
roles:
  user: {backend: paid, model: small}
  assistant: {backend: paid, model: small}
"""


@dataclass(frozen=True)
class Said:
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        assert self.out, self.err
        return json.loads(self.out)


class Convo(Protocol):
    def __call__(self, *arguments: str) -> Said: ...


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No address or folder of the machine that runs the tests."""
    for name in [name for name in os.environ if name.startswith("CONVO_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def convo(capsys: pytest.CaptureFixture[str]) -> Convo:
    """Run a command in this process."""

    def call(*arguments: str) -> Said:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        said = capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return call


@pytest.fixture(scope="module")
def world(infrastructure: Infrastructure) -> Iterator[World]:
    """A real gateway with an empty catalog."""
    with World(infrastructure) as running:
        yield running


@pytest.fixture
def online(world: World, convo: Convo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> World:
    """The gateway, found through the environment, with a small catalog in it."""
    monkeypatch.setenv("CONVO_GATEWAY_URL", world.url)
    folder = tmp_path / "small-catalog"
    folder.mkdir()
    (folder / "all.yaml").write_text(CONFIG)
    said = convo("catalog", "apply", str(folder))
    assert said.code == 0, said.err
    return world
