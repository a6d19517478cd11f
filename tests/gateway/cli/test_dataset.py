"""`convo export` and `convo verify`: a data set in a folder, and what is said when something in it was changed."""

import json
from pathlib import Path

import pytest

from convo_gateway.exports.card import front_of
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


def test_a_run_becomes_a_folder_that_verifies(run: str, convo: Convo, tmp_path: Path) -> None:
    out = tmp_path / "set"

    said = convo("export", run, "--format", "parquet", "--out", str(out), "--zstd")

    assert said.code == 0, said.err
    assert "2 rows: 2 of 4 conversations" in said.out
    assert "missing: status" in said.out
    assert sorted(path.name for path in out.iterdir()) == [
        "README.md",
        "data",
        "manifest.json",
        "snapshots",
    ]
    table = convo("run", "list", "--csv")
    assert (table.code, f"\n{run}," in table.out) == (0, True)
    checked = convo("verify", str(out))
    assert (checked.code, "as the manifest says" in checked.out) == (0, True)
    snapshot = next((out / "snapshots").iterdir())
    snapshot.write_bytes(snapshot.read_bytes().replace(b"cheap", b"cheat"))
    checked = convo("verify", str(out))
    assert checked.code == 1
    assert f"snapshots/{snapshot.name}: its bytes differ" in checked.err
    document = convo("verify", str(out), "--json").document
    assert document["verified"] is False
    assert len(document["differences"]) == 2


def test_x06_another_export_in_its_place_keeps_what_a_person_wrote(
    run: str, convo: Convo, tmp_path: Path
) -> None:
    out = tmp_path / "set"
    assert convo("export", run, "--out", str(out)).code == 0
    card = out / "README.md"
    card.write_text(card.read_text().replace("---\n", "---\nlicense: mit\n", 1) + "\nMy words.\n")
    (out / "notes.txt").write_text("mine")
    assert convo("export", run, "--out", str(out)).code == 4

    said = convo(
        "export",
        run,
        "--out",
        str(out),
        "--replace",
        "--format",
        "csv",
        "--split",
        "test=0.5,train=0.5",
    )

    assert said.code == 0, said.err
    text = card.read_text()
    assert (front_of(text)["license"], "My words." in text) == ("mit", True)
    assert sorted(path.name for path in (out / "data").iterdir()) == ["test.csv", "train.csv"]
    assert (out / "notes.txt").read_text() == "mine"
    assert convo("verify", str(out)).code == 0


def test_a_filter_and_an_export_that_was_left(
    run: str, online: World, convo: Convo, tmp_path: Path
) -> None:
    online.list(run)
    left = convo("export", "--filter", f"run={run}", "--filter", "layer=1", "--timeout", "0")
    assert left.code == 6
    export = left.err.split("--resume ")[1].split()[0]

    said = convo("export", "--resume", export, "--json")

    assert said.code == 0, said.err
    assert said.document["made"]["counts"]["reasons"] == {"stage_direction": 1}
    manifest = json.loads((tmp_path / "exports" / export / "manifest.json").read_text())
    assert manifest["source"]["filter"] == {"run": [run], "layer": [1]}


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        ((), 2, "exactly one"),
        (("run-a", "--view", "x"), 2, "exactly one"),
        (("run-a", "--split", "train"), 2, "train=0.9"),
        (("--filter", "colour=red"), 2, "colour"),
        (("--filter", "layer=x"), 2, "layer"),
        (("run-nowhere",), 3, "run-nowhere"),
        (("--view", "nothing"), 3, "nothing"),
        (("run-nowhere", "--format", "xml"), 2, "parquet"),
    ],
)
def test_what_cannot_be_is_said(
    online: World, convo: Convo, arguments: tuple[str, ...], code: int, word: str
) -> None:
    said = convo("export", *arguments)
    assert (said.code, word in said.err) == (code, True), said.err


def test_a_folder_without_an_export(convo: Convo, tmp_path: Path) -> None:
    assert convo("verify", str(tmp_path)).code == 3
    (tmp_path / "manifest.json").write_text("[]")
    assert convo("verify", str(tmp_path)).code == 2
