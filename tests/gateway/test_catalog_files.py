"""The catalog as files over REST: checked, imported all or nothing, exported, described."""

from io import BytesIO

import pytest

from convo_events.catalog import KINDS
from convo_gateway.catalog.documents import SINGULAR, read, write_all
from convo_gateway.catalog.starter import starter_objects
from tests.gateway.serving import Answer, Served

pytestmark = pytest.mark.anyio

YAML = {"Content-Type": "application/yaml"}
HOSTILE = (
    "\u202e\u0007 \x85 \u2028",
    "- a: b\n\n  c\n",
    "null",
    "yes",
    "0o17",
    "---\nkind: pool",
    "\t",
    "💩 #",
    "'\"",
)


async def send(served: Served, path: str, text: str | bytes) -> Answer:
    content = text.encode() if isinstance(text, str) else text
    return await served.post(path, data=BytesIO(content), headers=YAML)


def changes(answer: Answer) -> list[tuple[str, str, int]]:
    return [(c["action"], c["name"], c["version"]) for c in answer.json["changes"]]


async def test_a_file_is_checked_then_imported_then_unchanged(served: Served) -> None:
    text = "kind: voice\nname: in-file\nstyle: Short.\n---\nkind: persona\nname: in-file\nsummary: A.\n"
    expected = [("create", "in-file", 1), ("create", "in-file", 1)]

    looked = await send(served, "/catalog/check", text)
    assert changes(looked) == expected
    (await served.get("/voices/in-file")).problem(404, "not-found")
    written = await send(served, "/catalog/import?note=from+a+file", text)
    again = await send(served, "/catalog/import", text)
    differs = await send(served, "/catalog/check", text.replace("Short", "Long"))

    assert (written.status, changes(written)) == (200, expected)
    assert (await served.get("/voices/in-file")).json["note"] == "from a file"
    assert {change[0] for change in changes(again)} == {"unchanged"}
    assert changes(differs) == [("unchanged", "in-file", 1), ("update", "in-file", 2)]


async def test_every_problem_comes_at_once_and_nothing_is_written(served: Served) -> None:
    text = (
        "kind: voice\nname: never\nstyle: Short.\n---\nkind: persona\nname: Bad\nsumary: x\n---\n"
        "kind: run-config\nname: never\nmode: scripted\ntarget_count: 1\nprompt_set: nowhere\n"
        "personas:\n  - name: nobody\nvoices: [{name: never}]\n"
        "length_mix: [{turns: [2, 2], share: 1}]\nroles: {assistant: {backend: none, model: m}}\n"
    )

    looked = await send(served, "/catalog/check", text)
    refused = (await send(served, "/catalog/import", text)).problem(422, "invalid")

    found = {(p["line"], p["column"], p["pointer"]) for p in looked.json["problems"]}
    assert looked.json["changes"] == []
    assert found == {
        (5, 1, "/summary"),
        (6, 7, "/name"),
        (7, 1, "/sumary"),
        (13, 13, "/prompt_set"),
        (15, 11, "/personas/0/name"),
        (18, 30, "/roles/assistant/backend"),
    }
    assert refused["problems"] == looked.json["problems"]
    (await served.get("/voices/never")).problem(404, "not-found")


async def test_what_cannot_start_yet_is_a_warning(served: Served) -> None:
    text = (
        "kind: backend\nname: b1\nbase_url: http://b1\nmodels: [{name: m}]\n---\n"
        "kind: voice\nname: v1\nstyle: x\n---\nkind: persona\nname: p1\nsummary: x\n---\n"
        "kind: prompt-set\nname: s1\nmodes: [scripted]\nsegments: {script: '{{ unknown }}'}\n---\n"
        "kind: run-config\nname: c1\nmode: scripted\ntarget_count: 1\nprompt_set: s1\n"
        "personas: [{name: p1}]\nvoices: [{name: v1}]\nlength_mix: [{turns: [2, 2], share: 1}]\n"
        "roles:\n  assistant:\n    backend: b1\n    model: other\n"
    )

    written = await send(served, "/catalog/import", text)

    assert written.status == 200
    warnings = {(w["line"], w["pointer"]) for w in written.json["warnings"]}
    assert warnings == {(23, "/prompt_set"), (28, "/roles/assistant/model")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00", "UTF-8"),
        (b"kind: voice\nname: a\nstyle: \xc3\x28\n", "not UTF-8"),
        (b'kind: voice\nname: a\nstyle: "a\\0b"\n', "NUL"),
        (b'kind: voice\nname: a\nstyle: "\\ud800"\n', "surrogate"),
        (b"[" * 5_000, "nested deeper"),
        (b"kind: voice\nname: a\nstyle: {a: [\n", "expected"),
        (b"a: &a [*a]\n", "alias"),
        (b"just text", "no mapping"),
        (b"kind: voice\nname: ../../etc\nstyle: x\n", "lower-case"),
    ],
)
async def test_hostile_files_are_problems(served: Served, content: bytes, said: str) -> None:
    looked = await send(served, "/catalog/check", content)

    assert looked.status == 200, looked.body
    assert said in " ".join(problem["message"] for problem in looked.json["problems"])
    (await send(served, "/catalog/import", content)).problem(422, "invalid")


async def test_a_body_of_another_type_or_size_is_refused(served: Served) -> None:
    (await served.post("/catalog/check", json={})).problem(415, "wrong-type")
    (await send(served, "/personas", "kind: persona")).problem(415, "not-json")
    (await send(served, "/catalog/check", b"#" * 20_000_001)).problem(413, "too-large")
    large = await send(served, "/catalog/check", b"#" * 5_000_001)
    assert "at most 5,000,000 are read" in large.json["problems"][0]["message"]
    (await send(served, "/catalog/import?note=%00", "")).problem(400, "malformed")


async def test_lines_of_json_are_a_file_too(served: Served) -> None:
    lines = {"Content-Type": "application/x-ndjson"}
    good = b'{"kind": "voice", "name": "lined", "style": "A\\nB"}\n\n{"kind": "pool", "name": "lined", "values": ["1"]}'
    bad = good + b'\n{"kind": "voice", "name": "lined", "style": 5}\n{not json\n[1]\n'

    refused = await served.post("/catalog/import", data=BytesIO(bad), headers=lines)
    written = await served.post("/catalog/import", data=BytesIO(good), headers=lines)

    places = [(p["line"], p["pointer"]) for p in refused.problem(422, "invalid")["problems"]]
    assert places == [(4, "/style"), (5, ""), (6, "")]
    assert len(changes(written)) == 2
    assert (await served.get("/voices/lined")).json["body"]["style"] == "A\nB"


async def test_a_large_file_is_read_beside_the_others(served: Served) -> None:
    values = "\n".join(f"  - a value that is somewhat long, number {n}" for n in range(6_000))

    looked = await send(served, "/catalog/check", f"kind: pool\nname: big\nvalues:\n{values}\n")

    assert changes(looked) == [("create", "big", 1)]


async def test_an_export_is_read_back_unchanged(served: Served) -> None:
    for number, text in enumerate(HOSTILE):
        item = {"name": f"hostile-{number}", "values": [text, text + text, f"a\n{text}"]}
        assert (await served.post("/pools", json=item)).status == 201, text
    starter = await send(served, "/catalog/import", write_all(starter_objects()))
    assert starter.status == 200, starter.body

    whole = await served.get("/catalog/export")
    looked = await send(served, "/catalog/check", whole.body)

    assert whole.headers["content-type"] == "application/yaml"
    assert {change[0] for change in changes(looked)} == {"unchanged"}, looked.json
    names = {item.name for item in read(whole.body)}
    assert {item.name for item in starter_objects()} | {"hostile-0"} <= names


async def test_an_export_can_be_of_a_kind_or_of_one_object(served: Served) -> None:
    await served.post("/voices", json={"name": "only-me", "style": "x"})
    await served.post("/voices/only-me/archive")

    one = await served.get("/catalog/export?kind=voices&name=only-me")
    many = await served.get("/catalog/export?kind=voices")

    assert [item.name for item in read(one.body)] == ["only-me"]
    assert "only-me" not in {item.name for item in read(many.body)}
    (await served.get("/catalog/export?name=only-me")).problem(422, "invalid")
    (await served.get("/catalog/export?kind=voices&name=nobody")).problem(404, "not-found")
    (await served.get("/catalog/export?kind=nonsense")).problem(422, "invalid")


async def test_every_kind_of_file_has_a_schema(served: Served) -> None:
    listed = (await served.get("/catalog/schemas")).json["items"]
    assert [(entry["kind"], entry["word"]) for entry in listed] == [
        ("any", ""),
        *((kind, SINGULAR[kind]) for kind in KINDS),
    ]
    for entry in listed:
        schema = await served.ask("GET", entry["path"])
        assert schema.json["$schema"].endswith("2020-12/schema")
        same = await served.ask(
            "GET", entry["path"], headers={"If-None-Match": schema.headers["etag"]}
        )
        assert same.status == 304
    persona = (await served.get("/catalog/schemas/personas")).json["else"]
    assert persona["properties"]["kind"]["const"] == "persona"
    assert "One to three sentences" in persona["properties"]["summary"]["description"]
    (await served.get("/catalog/schemas/nonsense")).problem(422, "invalid")
