"""Tables of personas, voices and pool values over REST: all rows or none, each wrong row named."""

import asyncio
import json
from io import BytesIO
from typing import Any

import pytest

from tests.gateway.serving import Answer, Served

pytestmark = pytest.mark.anyio


async def send(
    served: Served, path: str, text: str | bytes, media_type: str = "text/csv"
) -> Answer:
    content = text.encode() if isinstance(text, str) else text
    return await served.post(path, data=BytesIO(content), headers={"Content-Type": media_type})


def counts(answer: Answer) -> tuple[int, int, int, int]:
    assert answer.status == 200, answer.body
    found = answer.json
    return found["rows"], found["created"], found["updated"], found["unchanged"]


def errors(document: Any) -> list[tuple[int, str]]:
    return [(error["row"], error["column"]) for error in document["errors"]]


async def test_a_table_of_personas_is_written_once(served: Served) -> None:
    text = (
        '\ufeffname,summary,traits,language\r\nbulk-a,"Asks, ""briefly"".",nurse| night shifts ,de\r\n'
        '\r\nbulk-b,"Two\nlines",,\r\n'
    )

    looked = await send(served, "/personas/bulk?dry_run=true", text)
    (await served.get("/personas/bulk-a")).problem(404, "not-found")
    written = await send(served, "/personas/bulk?note=table", text)
    again = await send(served, "/personas/bulk", text)
    changed = await send(served, "/personas/bulk", text.replace("Two", "Three"))

    assert [looked.json["written"], written.json["written"]] == [False, True]
    assert counts(looked) == counts(written) == (2, 2, 0, 0)
    assert (counts(again), counts(changed)) == ((2, 0, 0, 2), (2, 0, 1, 1))
    first = (await served.get("/personas/bulk-a")).json
    assert (first["version"], first["note"]) == (1, "table")
    assert first["body"] == {
        "name": "bulk-a",
        "summary": 'Asks, "briefly".',
        "traits": ["nurse", "night shifts"],
        "language": "de",
    }
    second = (await served.get("/personas/bulk-b")).json
    assert (second["version"], second["body"]["language"]) == (2, "en")
    assert second["body"]["summary"] == "Three\nlines"


async def test_every_wrong_row_is_named_and_nothing_is_written(served: Served) -> None:
    text = (
        b"name,summary\ngood-row,Fine.\nBad Name,x\ngood-row,Again.\nempty,\nlong,"
        + b"x" * 2_001
        + b'\nnul,a\0b\nbroken,\xc3\x28\nshort\nmany,a,b\nquote,"a" b\nlast-row,Fine.\n'
    )

    refused = (await send(served, "/personas/bulk", text)).problem(422, "invalid")

    assert errors(refused["answer"]) == [
        (3, "name"),
        (4, "name"),
        (5, "summary"),
        (6, "summary"),
        (7, "summary"),
        (8, ""),
        (9, ""),
        (10, ""),
        (11, ""),
    ]
    assert "first on line 2" in refused["answer"]["errors"][1]["message"]
    assert "0xc3 is not UTF-8" in refused["answer"]["errors"][5]["message"]
    assert (refused["answer"]["errors_total"], refused["answer"]["written"]) == (9, False)
    (await served.get("/personas/good-row")).problem(404, "not-found")
    skipping = await send(served, "/personas/bulk?skip_bad=true", text)
    assert (counts(skipping), skipping.json["errors_total"]) == ((11, 2, 0, 0), 9)
    assert (await served.get("/personas/last-row")).json["body"]["summary"] == "Fine."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no header"),
        (b"ann,Someone.\n", "no header"),
        (b"name,summary\n", "no rows"),
        (b"name\nx\n", "column is missing"),
        (b"name,summary,sumary\nx,y,z\n", "unknown column"),
        (b"name,name,summary\nx,y,z\n", "stands twice"),
        (b'name,summary\nx,"never closed\ny,z\n', "not closed"),
        (b'name,summary\nx,"' + b"y" * 200_000, "not closed"),
        ("name,summary\nx,y\n".encode("utf-16"), "UTF-16"),
    ],
)
async def test_broken_tables_say_what_is_wrong(served: Served, content: bytes, said: str) -> None:
    refused = (await send(served, "/personas/bulk", content)).problem(422, "invalid")

    assert said in refused["answer"]["errors"][0]["message"], refused
    assert refused["answer"]["rows"] <= 1


async def test_semicolons_and_tabs_separate_too(served: Served) -> None:
    assert counts(await send(served, "/voices/bulk", "name;style\nsemi;Short, dry.\n"))[:2] == (
        1,
        1,
    )
    assert counts(await send(served, "/voices/bulk", "style\tname\nShort; dry.\ttab\n"))[:2] == (
        1,
        1,
    )


async def test_json_lines_are_a_table_too(served: Served) -> None:
    lines = [
        json.dumps({"name": "line-a", "summary": "A.", "traits": ["x|y", "z"]}),
        "",
        "{not json",
        "[1]",
        json.dumps({"name": "line-b", "summary": 7, "extra": 1}),
        json.dumps({"name": "line-c"}),
        '{"name": "line-d", "summary": "\\ud800"}',
        json.dumps({"name": "line-e", "summary": "E.", "traits": ["ok", 5]}),
    ]
    text = "\n".join(lines)

    refused = (await send(served, "/personas/bulk", text, "application/x-ndjson")).problem(
        422, "invalid"
    )
    skipping = await send(
        served, "/personas/bulk?skip_bad=true", text, "application/x-ndjson; charset=utf-8"
    )

    assert errors(refused["answer"]) == [
        (3, ""),
        (4, ""),
        (5, "extra"),
        (6, "summary"),
        (7, ""),
        (8, "traits"),
    ]
    assert counts(skipping) == (7, 1, 0, 0)
    assert (await served.get("/personas/line-a")).json["body"]["traits"] == ["x|y", "z"]


async def test_rows_of_a_pool_make_it_or_add_to_it(served: Served) -> None:
    text = "pool,value\ntopic-x,bread\ntopic-y,rain\ntopic-x,salt\n"
    more = "pool,value\ntopic-x,salt\ntopic-x,oil\ntopic-new,one\n"

    made = await send(served, "/pools/bulk", text)
    looked = await send(served, "/pools/bulk?mode=append&dry_run=true", more)
    added = await send(served, "/pools/bulk?mode=append", more)
    again = await send(served, "/pools/bulk?mode=append", more)
    replaced = await send(served, "/pools/bulk", more)

    assert counts(made) == (3, 2, 0, 0)
    assert counts(looked) == counts(added) == (3, 1, 1, 0)
    assert counts(again) == (3, 0, 0, 2)
    assert counts(replaced) == (3, 0, 1, 1)
    versions = [
        (await served.get(f"/pools/topic-x/versions/{n}")).json["body"]["values"] for n in (1, 2, 3)
    ]
    assert versions == [["bread", "salt"], ["bread", "salt", "oil"], ["salt", "oil"]]
    bad = (await send(served, "/pools/bulk", "pool,value\nUPPER,a\nok,\n")).problem(422, "invalid")
    assert errors(bad["answer"]) == [(2, "pool"), (3, "value")]


async def test_ten_thousand_personas_and_their_errors(served: Served) -> None:
    rows = [f"many-{n},Person number {n} who asks about bread.,a|b,en" for n in range(10_000)]
    text = "name,summary,traits,language\n" + "\n".join(rows)

    written = await send(served, "/personas/bulk", text)
    bad = (await send(served, "/personas/bulk", text.replace(",en", ""))).problem(422, "invalid")

    assert counts(written) == (10_000, 10_000, 0, 0)
    assert (bad["answer"]["errors_total"], len(bad["answer"]["errors"])) == (10_000, 100)
    page = (await served.get("/personas?limit=1&q=many-9999")).json["items"]
    assert [item["name"] for item in page] == ["many-9999"]


async def test_tables_sent_at_once_wait_for_each_other(served: Served) -> None:
    names = [f"race-{number}" for number in range(600)]
    tables = [
        "name,summary\n" + "\n".join(f"{name},Version {version}." for name in order)
        for version, order in enumerate((names, names[::-1], names[300:] + names[:300]))
    ]
    added = "pool,value\n" + "\n".join(f"race-new,value {number}" for number in range(50))

    answers = await asyncio.gather(
        *(send(served, "/personas/bulk", table) for table in tables),
        *(send(served, "/pools/bulk?mode=append", added) for _ in range(3)),
        *(send(served, "/pools/bulk?mode=append", added.replace("value ", "other ")) for _ in "ab"),
    )

    assert [answer.status for answer in answers] == [200] * 8
    assert sum(answer.json["created"] for answer in answers[:3]) == 600
    versions = (await served.get("/personas/race-7/versions")).json["items"]
    assert sorted(one["version"] for one in versions) == [1, 2, 3]
    values = (await served.get("/pools/race-new")).json["body"]["values"]
    assert len(values) == len(set(values)) == 100


async def test_a_table_may_be_large_but_not_larger(served: Served) -> None:
    large = b"name,summary\n" + b"\n" * 20_000_000
    (await send(served, "/personas/bulk", large)).problem(413, "too-large")
    (await send(served, "/voices/bulk", "{}", "application/json")).problem(415, "wrong-type")
    (await send(served, "/pools/bulk?mode=merge", "pool,value\n")).problem(422, "invalid")
    (await send(served, "/pools/bulk?dryrun=true", "pool,value\n")).problem(422, "invalid")
