"""Files to the catalog and back."""

from pathlib import Path

import pytest

from convo_gateway.catalog.documents import read_folder
from tests.gateway.cli.conftest import CONFIG, Convo
from tests.gateway.cli.world import World


def write(folder: Path, text: str) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "all.yaml").write_text(text)
    return str(folder)


def test_applying_twice_changes_nothing(online: World, convo: Convo, tmp_path: Path) -> None:
    again = convo("catalog", "apply", write(tmp_path / "again", CONFIG), "--json").document

    assert {change["action"] for change in again["changes"]} == {"unchanged"}


def test_what_differs_becomes_a_new_version(online: World, convo: Convo, tmp_path: Path) -> None:
    before = convo("catalog", "show", "persona", "ada", "--json").document["version"]
    summary = f"A mathematician, told {before + 1} times."
    folder = write(tmp_path / "new", f"kind: persona\nname: ada\nsummary: {summary}\n")

    looked = convo("catalog", "apply", folder, "--dry-run")
    unchanged = convo("catalog", "show", "persona", "ada", "--json").document["version"]
    applied = convo("catalog", "apply", folder, "--json").document["changes"]

    assert looked.code == 0
    assert "changed" in looked.out
    assert unchanged == before
    assert applied == [
        {"kind": "personas", "name": "ada", "action": "changed", "version": before + 1}
    ]
    assert summary in convo("catalog", "show", "personas", "ada").out
    assert summary not in convo("catalog", "show", "personas", "ada", "--version", str(before)).out


def test_every_problem_is_shown_and_nothing_is_written(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    folder = write(
        tmp_path / "bad",
        "kind: voice\nname: brand-new\nstyle: Short.\n---\n"
        "kind: persona\nname: Bad Name\nsumary: oops\n",
    )

    said = convo("catalog", "apply", folder)

    assert said.code == 2
    assert f"{folder}/all.yaml:6:" in said.err
    assert f"{folder}/all.yaml:7:" in said.err
    assert 'did you mean "summary"' in said.err
    assert convo("catalog", "show", "voice", "brand-new").code == 3


def test_a_config_that_names_what_is_nowhere_is_not_written(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    voice = "kind: voice\nname: never-written\nstyle: Short.\n---\n"
    config = CONFIG[CONFIG.index("kind: run-config") :].replace(
        "prompt_set: talk", "prompt_set: tlak"
    )
    folder = write(tmp_path / "dangling", voice + config)

    said = convo("catalog", "apply", folder)

    assert said.code == 2
    assert 'there is no prompt-set "tlak" in the folder or in the catalog' in said.err
    assert convo("catalog", "show", "voice", "never-written").code == 3


def test_a_config_may_name_what_the_catalog_has(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    config = CONFIG[CONFIG.index("kind: run-config") :]

    said = convo("catalog", "apply", write(tmp_path / "alone", config))

    assert said.code == 0, said.err
    assert "unchanged" in said.out


def test_what_the_gateway_refuses_is_named(online: World, convo: Convo, tmp_path: Path) -> None:
    text = "\n".join(f"  - {'x' * 40_000}{number}" for number in range(40))
    folder = write(tmp_path / "large", f"kind: pool\nname: large\nvalues:\n{text}\n")

    said = convo("catalog", "apply", folder)

    assert said.code == 2
    assert "pool large" in said.err


def test_export_gives_back_what_was_applied(online: World, convo: Convo, tmp_path: Path) -> None:
    assert convo("catalog", "export", str(tmp_path / "all")).code == 0
    assert convo("catalog", "export", str(tmp_path / "all")).code == 4
    assert convo("catalog", "export", str(tmp_path / "v"), "--kind", "voice").code == 0

    names = {item.name for item in read_folder(tmp_path / "all")}
    assert {"paid", "ada", "plain", "talk", "cheap", "asks-first"} <= names
    assert [path.name for path in (tmp_path / "v").iterdir()] == ["voices.yaml"]
    again = convo("catalog", "apply", str(tmp_path / "all"), "--json").document
    assert {change["action"] for change in again["changes"]} == {"unchanged"}


def test_a_list_has_names_and_versions(online: World, convo: Convo) -> None:
    assert "ada" in convo("catalog", "list", "personas").out
    assert convo("catalog", "list", "persona", "--json").document["items"][0]["kind"] == "personas"
    assert convo("catalog", "list", "nonsense").code == 2


def test_the_starter_catalog_is_written_and_valid(convo: Convo, tmp_path: Path) -> None:
    assert convo("catalog", "init", "mine").code == 0
    assert convo("catalog", "init", "mine").code == 4
    assert convo("config", "validate", "mine").code == 0


def test_a_config_is_checked_by_file_folder_and_name(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    folder = write(tmp_path / "one", CONFIG)

    assert convo("config", "validate", folder).code == 0
    assert "run-config cheap" in convo("config", "validate", f"{folder}/all.yaml").out
    assert convo("config", "validate", "cheap").code == 0
    assert convo("config", "validate", "not-there").code == 3
    assert convo("config", "validate", "not-there.yaml").code == 2
    write(tmp_path / "one", CONFIG.replace("personas: [{name: ada}]", "personas: [{name: eve}]"))
    missing = convo("config", "validate", folder)
    assert missing.code == 2
    assert "eve" in missing.err


@pytest.mark.parametrize("kind", ["persona", "run-configs", "PROMPT_SETS"])
def test_every_kind_has_a_schema(convo: Convo, kind: str) -> None:
    schema = convo("config", "schema", kind).document

    assert schema["type"] == "object"
    assert "name" in schema["properties"]
