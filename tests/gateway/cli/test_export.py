"""An export is a new folder, complete and checked, or it is not there."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.gateway.cli.conftest import Convo
from tests.gateway.cli.world import World


@pytest.fixture
def run(online: World, convo: Convo) -> str:
    """A run with two accepted and one rejected conversation."""
    run = str(convo("run", "start", "cheap", "--json").document["id"])
    online.conversation(run, 0)
    online.conversation(run, 1)
    online.conversation(run, 2, status="rejected", reason="stage_direction", layer=1)
    online.set(run, generated=3, accepted=2, rejected=1)
    return run


def test_it_holds_the_conversations_and_a_manifest_that_proves_them(
    run: str, convo: Convo, tmp_path: Path
) -> None:
    said = convo("run", "export", run)

    folder = tmp_path / "exports" / run
    content = (folder / "conversations.jsonl").read_bytes()
    manifest = json.loads((folder / "manifest.json").read_text())
    assert said.code == 0
    assert str(Path("exports") / run / "conversations.jsonl") in said.out
    assert manifest["sha256"] == hashlib.sha256(content).hexdigest()
    assert [len(json.loads(line)["messages"]) for line in content.splitlines()] == [2, 2]
    assert [path.name for path in folder.parent.iterdir()] == [run]


def test_statuses_are_chosen(run: str, convo: Convo, tmp_path: Path) -> None:
    out = tmp_path / "all"

    said = convo(
        "run",
        "export",
        run,
        "--out",
        str(out),
        "--status",
        "rejected",
        "--status",
        "accepted",
        "--json",
    )

    assert said.document["conversations"] == 3
    assert said.document["folder"] == str(out)


def test_a_folder_in_use_is_left_alone(run: str, convo: Convo, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")

    said = convo("run", "export", run, "--out", str(tmp_path / "mine"))

    assert said.code == 4
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_an_export_that_fails_leaves_nothing(online: World, convo: Convo, tmp_path: Path) -> None:
    out = tmp_path / "out" / "here"

    assert convo("run", "export", "run-nothing", "--out", str(out)).code == 3
    assert list(out.parent.iterdir()) == []
