"""Files to the catalog and back."""

from pathlib import Path

import pytest

from convo_gateway.catalog.documents import read, read_folder
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


def test_a_folder_is_written_whole_or_not_at_all(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    text = "\n".join(f"  - {'x' * 30_000}{number}" for number in range(5))
    large = write(tmp_path / "large", f"kind: pool\nname: large\nvalues:\n{text}\n")

    assert convo("catalog", "apply", large).code == 0
    again = convo("catalog", "apply", large, "--json").document["changes"]
    assert [change["action"] for change in again] == ["unchanged"]


def test_export_gives_back_what_was_applied(online: World, convo: Convo, tmp_path: Path) -> None:
    assert convo("catalog", "export", str(tmp_path / "all")).code == 0
    assert convo("catalog", "export", str(tmp_path / "all")).code == 4
    assert convo("catalog", "export", str(tmp_path / "v"), "--kind", "voice").code == 0

    names = {item.name for item in read_folder(tmp_path / "all")}
    assert {"paid", "ada", "plain", "talk", "cheap", "asks-first"} <= names
    assert [path.name for path in (tmp_path / "v").iterdir()] == ["voices.yaml"]
    again = convo("catalog", "apply", str(tmp_path / "all"), "--json").document
    assert {change["action"] for change in again["changes"]} == {"unchanged"}


def test_an_export_goes_to_standard_output_too(online: World, convo: Convo) -> None:
    said = convo("catalog", "export", "--kind", "persona")

    assert "ada" in {item.name for item in read(said.out.encode())}
    assert convo("catalog", "export", "--json").code == 2


def test_a_table_is_imported(online: World, convo: Convo, tmp_path: Path) -> None:
    table = tmp_path / "many.csv"
    table.write_text("name,summary,traits\ncsv-a,A.,x|y\ncsv-b,B.,\n")
    call = ("catalog", "import", str(table), "--kind", "persona")

    looked = convo(*call, "--dry-run")
    written = convo(*call, "--json").document
    again = convo(*call)

    assert "2 created" in looked.out
    assert "Nothing was written" in looked.err
    assert (written["created"], written["written"]) == (2, True)
    assert "2 unchanged" in again.out
    assert convo("catalog", "import", str(table), "--kind", "backend").code == 2
    assert convo("catalog", "import", "not-there.csv", "--kind", "persona").code == 2


def test_wrong_rows_are_shown_with_their_lines(online: World, convo: Convo, tmp_path: Path) -> None:
    lines = tmp_path / "many.jsonl"
    lines.write_text('{"pool": "lines", "value": "a"}\n{"pool": "Lines"}\n')
    call = ("catalog", "import", str(lines), "--kind", "pools")

    refused = convo(*call)
    skipping = convo(*call, "--skip-bad", "--json")

    assert (refused.code, skipping.code) == (2, 0)
    assert "is missing" in refused.out
    assert convo("catalog", "show", "pool", "lines").code == 0
    assert skipping.document["errors"][0]["row"] == 2


def test_a_version_is_compared_and_restored(online: World, convo: Convo, tmp_path: Path) -> None:
    for style in ("One.", "Two."):
        folder = write(tmp_path / "voices", f"kind: voice\nname: again\nstyle: {style}\n")
        assert convo("catalog", "apply", folder).code == 0

    compared = convo("catalog", "compare", "voice", "again", "--from", "1")
    restored = convo("catalog", "restore", "voice", "again", "--version", "1")
    once_more = convo("catalog", "restore", "voice", "again", "--version", "1")

    assert "-style: One." in compared.out
    assert "+style: Two." in compared.out
    assert "as version 3" in restored.out
    assert "nothing was written" in once_more.out
    assert "One." in convo("catalog", "show", "voice", "again").out


def test_what_is_archived_is_still_named(online: World, convo: Convo) -> None:
    archived = convo("catalog", "archive", "voice", "plain")
    hidden = convo("catalog", "list", "voice", "--archived")
    back = convo("catalog", "unarchive", "voice", "plain")

    assert "cheap" in archived.out
    assert "/voices/0/name" in archived.out
    assert "plain" in hidden.out
    assert "not archived" in back.out
    assert "cheap" in convo("catalog", "uses", "backend", "paid").out
    assert convo("catalog", "uses", "backend", "nobody").code == 3


def test_a_list_has_names_and_versions(online: World, convo: Convo) -> None:
    assert "ada" in convo("catalog", "list", "personas").out
    assert convo("catalog", "list", "persona", "--json").document["items"][0]["kind"] == "personas"
    assert convo("catalog", "list", "nonsense").code == 2


def test_the_starter_catalog_is_written_and_valid(convo: Convo, tmp_path: Path) -> None:
    assert convo("catalog", "init", "mine").code == 0
    assert convo("catalog", "init", "mine").code == 4
    assert convo("config", "check", "mine").code == 0


def test_a_config_is_checked_by_file_folder_and_name(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    folder = write(tmp_path / "one", CONFIG)

    assert convo("config", "check", folder).code == 0
    assert "cheap" in convo("config", "check", f"{folder}/all.yaml").out
    assert convo("config", "check", "cheap").code == 0
    assert convo("config", "check", "not-there").code == 3
    assert convo("config", "check", "not-there.yaml").code == 2
    write(tmp_path / "one", CONFIG.replace("personas: [{name: ada}]", "personas: [{name: eve}]"))
    missing = convo("config", "check", folder)
    assert missing.code == 2
    assert "eve" in missing.err


@pytest.mark.parametrize("kind", ["persona", "run-configs", "PROMPT_SETS"])
def test_every_kind_has_a_schema(convo: Convo, kind: str) -> None:
    assert convo("catalog", "schema", kind).document["else"]["required"][0] == "kind"


def test_files_have_a_schema(convo: Convo) -> None:
    assert len(convo("catalog", "schema").document["allOf"]) == 7
    assert convo("catalog", "schema", "nonsense").code == 2
