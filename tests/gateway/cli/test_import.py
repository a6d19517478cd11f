"""`convo import` and `convo imports`: every row accounted for, and nothing started over rows that were refused."""

import asyncio
import gzip
import json
import os
import re
import sys
from pathlib import Path

import pytest

from convo_events.commands import StartRun
from convo_gateway.cli.client import Gateway
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.import_sending import bring_in
from convo_gateway.cli.import_sources import Source
from tests.gateway.cli.conftest import Convo
from tests.gateway.cli.world import World


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


CLEANING = """
kind: prompt-set
name: review
modes: [import]
segments: {judge: Judge this chat.}
---
kind: run-config
name: clean
mode: import
target_count: 1000
prompt_set: review
---
kind: run-config
name: clean-and-judge
mode: import
target_count: 1000
confirm_above_usd: 0.000001
prompt_set: review
roles: {judge: {backend: paid, model: small}}
judge: {criteria: [{name: good, question: Is it good?}], scale: [1, 5], threshold: 3}
"""


def chat(text: str) -> dict[str, object]:
    return {"conversations": [{"from": "human", "value": text}, {"from": "gpt", "value": "Yes."}]}


def masked(text: str) -> str:
    """What a command said, without what differs each time."""
    return re.sub(r"imp-[0-9a-f]{12}", "imp-x", re.sub(r"\d{4}-\d\d-\d\d \S+", "then", text))


def test_every_row_of_a_file_is_taken_or_named(online: World, convo: Convo, tmp_path: Path) -> None:
    content = lines(
        chat("first\0"), chat("first\0"), {"messages": [{"role": "tool", "content": "3"}]}, 5
    )
    (tmp_path / "old.jsonl").write_bytes(content)

    said = convo("import", "old.jsonl")

    assert said.code == 1
    assert masked(said.out) == (
        "old.jsonl is import imp-x\n"
        f"  Read     4 rows, {len(content)} bytes of jsonl\n"
        "  Taken    1 conversation: 2 turns, 10 characters\n"
        "  Refused  3 rows\n"
        "           1 duplicate\n"
        "           1 not_a_conversation\n"
        "           1 tool_call\n"
        "  Mended   1 character that nothing could store\n"
        "Row  Reason              Where        Problem\n"
        "  2  duplicate           -            says exactly what row 1 says\n"
        "  3  tool_call           /messages/0  role tool: conversations with tools are not taken\n"
        "  4  not_a_conversation  -            the row is a number, not an object\n"
    )
    assert masked(said.err) == (
        "x 3 of 4 rows were refused; what was taken stays.\n"
        "  To go on without them, the same command with --skip-bad; or: convo run start CONFIG --import imp-x\n"
    )
    skipped = convo("import", "old.jsonl", "--skip-bad", "--json")
    assert skipped.code == 0, skipped.err
    [found] = skipped.document["imports"]
    assert found["file"] == "old.jsonl"
    assert found["there_already"] is True, "the same bytes are the same import"
    assert (found["read"], found["taken"], found["refused"], found["mended"]) == (4, 1, 3, 1)
    assert [row["row"] for row in found["first_refused"]] == [2, 3, 4]
    assert found["id"] in said.out
    again = convo("import", "old.jsonl", "--skip-bad")
    assert f"old.jsonl is import {found['id']} already: the same bytes as old.jsonl" in again.out


def test_a_folder_is_its_files_by_name(online: World, convo: Convo, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(lines(chat("of b"))))
    (folder / "a.json").write_text(json.dumps([chat("of a"), chat("also of a")]))
    (folder / "README.md").write_text("words")
    (folder / ".hidden.jsonl").write_text("{}")

    said = convo("import", "set", "--json")

    assert said.code == 0, said.err
    found = [(one["file"], one["format"], one["taken"]) for one in said.document["imports"]]
    assert found == [("set/a.json", "json", 2), ("set/b.jsonl.gz", "jsonl, gzip", 1)]
    assert "Left out: set/README.md" in said.err
    assert "hidden" not in said.err
    assert "--import ID, for each id above" in said.err


def test_a_broken_file_is_told_and_the_others_stay(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(lines(chat("cut")))[:-9])
    (tmp_path / "good.jsonl").write_bytes(lines(chat("good")))

    said = convo("import", "cut.jsonl.gz", "good.jsonl", "--skip-bad")

    assert said.code == 1
    assert "cut.jsonl.gz is broken: the file breaks" in said.out
    assert "good.jsonl is import imp-" in said.out
    assert "1 file of 2 cannot be used." in said.err
    assert "--import imp-" in said.err
    alone = convo("import", "cut.jsonl.gz", "--json")
    assert (alone.code, alone.document["imports"][0]["status"]) == (1, "broken")


def test_standard_input_is_a_file(
    online: World, convo: Convo, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, into = os.pipe()
    with os.fdopen(out) as piped:
        monkeypatch.setattr(sys, "stdin", piped)
        os.write(into, lines(chat("through a pipe")))
        os.close(into)
        said = convo("import", "-", "--name", "piped")

    assert said.code == 0, said.err
    assert masked(said.out).startswith("piped is import imp-x\n")
    listed = convo("imports", "list", "--limit", "1", "--json").document
    assert (listed["items"][0]["name"], listed["items"][0]["taken"]) == ("piped", 1)


def test_what_was_brought_in_is_listed_shown_and_deleted(
    online: World, convo: Convo, tmp_path: Path
) -> None:
    (tmp_path / "many.jsonl").write_bytes(lines(chat("kept"), *range(30)))
    brought = convo("import", "many.jsonl", "--skip-bad")
    assert "... and 10 more: convo imports refused imp-" in brought.out
    source = convo("imports", "list", "--json").document["items"][0]["id"]

    header, first, *_ = convo("imports", "list").out.splitlines()
    assert header.split()[:6] == ["Id", "File", "Status", "Read", "Taken", "Refused"]
    assert first.split()[:6] == [source, "many.jsonl", "ready", "31", "1", "30"]
    shown = convo("imports", "show", source)
    assert f"Import {source} is ready" in shown.out
    assert "30 not_a_conversation" in shown.out
    rows = convo("imports", "refused", source, "--limit", "5", "--after", "20")
    assert [row.split()[0] for row in rows.out.splitlines()] == ["Row", *map(str, range(21, 26))]
    assert "--after 25" in rows.err
    assert convo("imports", "delete", source).code == 4
    assert convo("imports", "delete", source, "--yes").out == f"Import {source} is deleted\n"
    for words in (("show",), ("refused",), ("delete", "--yes")):
        assert convo("imports", *words, source).code == 3, words


def test_what_cannot_be_read_on_or_is_left_alone_is_not_kept(
    online: World,
    convo: Convo,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = convo("imports", "list", "--json").document["items"]
    out, into = os.pipe()

    async def send() -> None:
        async with Gateway(online.url) as api:
            with pytest.raises(CommandError, match="cannot be read: is a directory") as broken:
                await bring_in(api, Source(str(tmp_path), "unreadable", None))
            assert broken.value.code is Exit.USAGE
            left = asyncio.create_task(bring_in(api, Source("-", "held back", None)))
            await asyncio.sleep(0)
            left.cancel()
            with pytest.raises(asyncio.CancelledError):
                await left

    with os.fdopen(out) as piped:
        monkeypatch.setattr(sys, "stdin", piped)
        asyncio.run(send())
    os.close(into)

    assert "held back was not sent to its end; nothing of it is kept." in capsys.readouterr().err
    assert convo("imports", "list", "--json").document["items"] == before


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("nowhere.jsonl",), 2, "nowhere.jsonl cannot be read: no such file or directory"),
        (("list",), 2, "convo imports list"),
        (("empty-folder",), 2, "has no file to import"),
        (("x\0y",), 2, "cannot be read"),
        (("good.jsonl", "other.jsonl", "--name", "both"), 2, "--name is for one file"),
        (("good.jsonl", "--start"), 2, "--config"),
        (("good.jsonl", "--config", "nothing-such"), 3, "convo catalog list run-configs"),
        (("good.jsonl", "--config", "cheap", "--start"), 2, "is of mode dialogue"),
        (("good.jsonl", "--gateway", "http://127.0.0.1:9"), 5, "cannot be reached"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_sent(
    online: World, convo: Convo, tmp_path: Path, arguments: tuple[str, ...], code: int, says: str
) -> None:
    (tmp_path / "empty-folder").mkdir()
    for name in ("good", "other"):
        (tmp_path / f"{name}.jsonl").write_bytes(lines(chat(f"not sent: {name}")))
    before = convo("imports", "list", "--json").document["items"]

    said = convo("import", *arguments)

    assert (said.code, says in said.err) == (code, True), said.err
    assert said.out == ""
    assert "Traceback" not in said.err
    assert convo("imports", "list", "--json").document["items"] == before


@pytest.fixture
def cleaning(online: World, convo: Convo, tmp_path: Path) -> World:
    """Configs that read imports: one that costs nothing, and one that asks first."""
    folder = tmp_path / "cleaning"
    folder.mkdir()
    (folder / "all.yaml").write_text(CLEANING)
    said = convo("catalog", "apply", str(folder))
    assert said.code == 0, said.err
    return online


def test_a_run_is_started_over_each_import_once_bad_rows_are_agreed_to(
    cleaning: World, convo: Convo, tmp_path: Path
) -> None:
    (tmp_path / "one.jsonl").write_bytes(lines(chat("a start"), chat("another"), chat("third"), 5))
    (tmp_path / "two.jsonl").write_bytes(lines(chat("of the second file")))
    (tmp_path / "copy.jsonl").write_bytes((tmp_path / "two.jsonl").read_bytes())
    files = ("import", "one.jsonl", "two.jsonl", "copy.jsonl", "--config", "clean", "--target", "2")
    before = len(cleaning.commands)

    refused = convo(*files, "--start")
    shown = convo(*files, "--skip-bad")

    assert (refused.code, shown.code) == (1, 0)
    assert "Nothing was started." in refused.err
    assert "convo run start clean --import ID, for each id above" in refused.err
    assert shown.out.count("Estimate for clean version 1") == 2, "a copy is the same import"
    assert "2 to take" in shown.out
    assert len(cleaning.commands) == before

    said = convo(*files, "--skip-bad", "--start", "--json")

    assert said.code == 0, said.err
    one, two = cleaning.commands[before:]
    assert isinstance(one, StartRun)
    assert isinstance(two, StartRun)
    assert [(run.mode, run.target) for run in (one, two)] == [("import", 2), ("import", 1)]
    assert [run["id"] for run in said.document["runs"]] == [one.run, two.run]
    assert len(said.document["estimates"]) == 2
    assert "one.jsonl (imp-" in convo("run", "show", one.run).out
    source = said.document["imports"][1]["id"]
    again = convo("run", "start", "clean", "--import", source)
    assert (again.code, "is started" in again.out) == (0, True), again.err
    nothing = convo("run", "start", "clean")
    assert (nothing.code, "convo imports list" in nothing.err) == (2, True), nothing.err


def test_a_run_that_costs_asks_first_and_the_import_stays(
    cleaning: World, convo: Convo, tmp_path: Path
) -> None:
    (tmp_path / "paid.jsonl").write_bytes(lines(chat("what is judged")))
    before = len(cleaning.commands)

    said = convo("import", "paid.jsonl", "--config", "clean-and-judge", "--start", "--json")

    assert (said.code, "--yes" in said.err) == (4, True)
    assert len(cleaning.commands) == before
    assert said.document["imports"][0]["status"] == "ready"
    assert said.document["runs"] == []
    agreed = convo("import", "paid.jsonl", "--config", "clean-and-judge", "--start", "--yes")
    assert agreed.code == 0, agreed.err
    assert len(cleaning.commands) == before + 1
