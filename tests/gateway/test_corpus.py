"""The corpus over REST: filters, orders, search, facets and neighbours agree with each other."""

import itertools
from typing import Any

import pytest

from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio

SAID = (
    "Where is my refund, please?",
    "我想要退款，谢谢",
    "أين طلبي؟ أريد استرداد المال",
    "ฉันต้องการเงินคืน",
    "The café's “résumé” printer is broken",
    "Just talk about the weather",
)


async def fill(read_model: ReadModel) -> None:
    """Two runs and a sample: 12 conversations that differ in everything, one sample."""
    await read_model.run("run-a", config="quick", language="en", name="First")
    await read_model.run("run-b", config="slow", language="zh", mode="sessions")
    await read_model.run("run-s", kind="sample")
    for at in range(12):
        status = ("accepted", "rejected", "failed", "open")[at % 4]
        scored = status in ("accepted", "rejected")
        reason = {"rejected": "stage_direction", "failed": "judge_failed"}.get(status, "")
        await read_model.conversation(
            ("run-a", "run-b")[at % 2],
            at,
            turns=(SAID[at % 6], "Reply", "More")[: 1 + at % 3],
            status=status,
            reason=reason,
            layer={"rejected": 1, "failed": 0}.get(status),
            score=1.0 + at / 4 if scored else None,
            persona=("pat", "kim", "lee")[at % 3],
            cost_micro=1_000 * (at + 1),
            review="flagged" if at == 4 else "",
            edited=at == 4,
        )
    await read_model.conversation("run-s", 0, turns=("Sample refund",))


@pytest.fixture(scope="module")
async def corpus(served: Served) -> Served:
    await fill(served.read_model)
    return served


async def walk(served: Served, query: str, most: int = 3) -> list[dict[str, Any]]:
    """All conversations of a list, page by page."""
    seen: list[dict[str, Any]] = []
    cursor = ""
    for _ in itertools.count():
        page = (await served.get(f"/conversations?limit={most}{cursor}&{query}")).json
        seen += page["items"]
        if page["next_cursor"] is None:
            return seen
        cursor = f"&cursor={page['next_cursor']}"
    raise AssertionError


async def threads(served: Served, query: str) -> set[int]:
    return {item["thread"] for item in await walk(served, query)}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", set(range(12))),
        ("run=run-a", {0, 2, 4, 6, 8, 10}),
        ("run=run-s", {0}),
        ("config=slow&config=nothing", {1, 3, 5, 7, 9, 11}),
        ("mode=sessions&status=rejected", {1, 5, 9}),
        ("language=zh&persona=kim", {1, 7}),
        ("status=failed&status=open", {2, 3, 6, 7, 10, 11}),
        ("reason=stage_direction&layer=1", {1, 5, 9}),
        ("layer=0", {2, 6, 10}),
        ("review=flagged", {4}),
        ("review=none&persona=kim", {1, 7, 10}),
        ("edited=true", {4}),
        ("turns_from=2&turns_to=2", {1, 4, 10}),
        ("score_from=2&score_to=3", {4, 5, 8}),
        ("cost_from=0.011", {10}),
        ("cost_to=0.0021", {0, 1}),
    ],
)
async def test_a_filter_leaves_what_all_of_it_says_and_the_facets_count_the_same(
    corpus: Served, query: str, expected: set[int]
) -> None:
    assert await threads(corpus, query) == expected
    found = (await corpus.get(f"/conversations/facets?{query}")).json
    assert (found["total"], found["exact"]) == (len(expected), True)
    assert found["of"] == (1 if "run-s" in query else 6 if "run-a" in query else 12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("refund", {0, 6}),
        ("REFUND please", {0, 6}),
        ("refu", {0, 6}),
        ("refu ", set()),
        ('"refund please"', {0, 6}),
        ('"please refund"', set()),
        ("退款", {1}),
        ("要退", {1}),
        ("款", {1}),
        ("退谢", set()),
        ("طلبي", {2, 8}),
        ("أُرِيد المال", {2, 8}),
        ("เงินคืน", {9}),
        ("cafe resume", {4, 10}),
        ("?!", set()),
        ("refund weather", set()),
        ("'); drop table corpus; --", set()),
    ],
)
async def test_words_are_found_in_any_script(corpus: Served, text: str, expected: set[int]) -> None:
    """What is open (every fourth) is not read yet."""
    answer = await corpus.get("/conversations", params={"text": text})
    assert {item["thread"] for item in answer.json["items"]} == expected


@pytest.mark.parametrize("sort", ["created", "score", "cost", "turns", "words"])
async def test_every_order_pages_through_all_and_neighbours_walk_the_same_way(
    corpus: Served, sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found and sorted, or walked along the index: the same."""
    up = await walk(corpus, f"sort={sort}")
    monkeypatch.setattr("convo_gateway.reads.corpus.FEW", 0)
    down = await walk(corpus, f"sort=-{sort}", 5)
    assert len({item["id"] for item in up}) == len(up) == len(down) == 12
    column = {"created": "created_at", "cost": "cost_micro"}.get(sort, sort)
    settled = [item for item in up if item["status"] != "open" and item[column] is not None]
    assert [i[column] for i in settled] == sorted(i[column] for i in settled)
    if sort != "created":
        # What has no such number comes last both ways.
        assert {i["id"] for i in up[len(settled) :]} == {i["id"] for i in down[len(settled) :]}
    for before, after in itertools.pairwise(down):
        beside = await corpus.get(f"/conversations/{before['id']}/beside?sort=-{sort}")
        assert beside.json["next"] == after["id"]
        beside = await corpus.get(f"/conversations/{after['id']}/beside?sort=-{sort}")
        assert beside.json["previous"] == before["id"]


async def test_a_facet_counts_what_another_choice_of_it_would_leave(corpus: Served) -> None:
    found = (await corpus.get("/conversations/facets?status=rejected&persona=kim")).json
    by_name = {
        facet["name"]: {value["value"]: value["n"] for value in facet["values"]}
        for facet in found["facets"]
    }
    assert found["total"] == 1
    assert by_name["status"] == {"accepted": 1, "rejected": 1, "failed": 1, "open": 1}
    assert by_name["persona"] == {"kim": 1, "lee": 1, "pat": 1}
    assert by_name["run"] == {"run-b": 1}
    assert by_name["language"] == {"zh": 1}
    everything = (await corpus.get("/conversations/facets")).json
    (runs,) = (f for f in everything["facets"] if f["name"] == "run")
    assert [(v["value"], v["label"], v["n"]) for v in runs["values"]] == [
        ("run-a", "First", 6),
        ("run-b", "Name of run-b", 6),
    ]


async def test_counting_stops_and_says_so(corpus: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("convo_gateway.reads.facets.MOST", 2)
    found = (await corpus.get("/conversations/facets?turns_from=1")).json
    assert (found["total"], found["exact"]) == (2, False)
    # One facet alone is known exactly, whatever there is of it.
    found = (await corpus.get("/conversations/facets?status=rejected")).json
    assert (found["total"], found["exact"]) == (3, True)
    by_name = {facet["name"]: facet for facet in found["facets"]}
    assert by_name["persona"]["exact"] is False
    assert {value["value"] for value in by_name["persona"]["values"]} == {"pat", "kim", "lee"}


async def test_a_cursor_of_another_order_or_made_up_is_refused(corpus: Served) -> None:
    page = (await corpus.get("/conversations?limit=1&sort=-score")).json
    for query in (f"sort=score&cursor={page['next_cursor']}", "cursor=bm90aGluZw"):
        (await corpus.get(f"/conversations?{query}")).problem(422, "invalid")
    (await corpus.get("/conversations?score_from=NaN")).problem(422, "invalid")
    (await corpus.get("/conversations?statuss=open")).problem(422, "invalid")


async def test_saved_views_keep_a_filter_and_nobody_overwrites_another(served: Served) -> None:
    wanted = {
        "name": " Rejected, by score ",
        "filter": {"status": ["rejected"], "text": "退款", "score_from": 2.5},
        "sort": "-score",
        "columns": ["name", "score"],
        "density": "compact",
    }
    made = await served.post("/views", json=wanted)
    assert (made.status, made.headers["etag"]) == (201, '"v1"')
    view = made.json["id"]
    assert made.json["name"] == "Rejected, by score"
    (await served.post("/views", json=wanted)).problem(409, "conflict")

    path, newer = f"/api/v1/views/{view}", wanted | {"name": "Others", "filter": {}}
    changed = await served.ask("PUT", path, json=newer, headers={"If-Match": '"v1"'})
    assert (changed.status, changed.json["version"], changed.json["name"]) == (200, 2, "Others")
    lost = await served.ask("PUT", path, json=wanted, headers={"If-Match": '"v1"'})
    assert lost.problem(412, "changed-meanwhile")["current"]["name"] == "Others"
    (await served.ask("PUT", path, json=wanted)).problem(428, "precondition-required")

    assert [v["id"] for v in (await served.get("/views")).json["items"]] == [view]
    assert (await served.ask("DELETE", path)).status == 204
    (await served.get(f"/views/{view}")).problem(404, "not-found")
    (await served.post("/views", json=wanted | {"filter": {"colour": ["red"]}})).problem(
        422, "invalid"
    )


async def test_s01_lists_have_no_text_and_a_long_conversation_comes_in_pages(
    served: Served, read_model: ReadModel
) -> None:
    await read_model.run("run-long", name="Long")
    conversation = await read_model.conversation("run-long", 0, turns=("w" * 5_000, "Short"))
    await read_model.execute(
        "insert into turn (conversation, number, role, body, finish)"
        " select $1, n, 'user', repeat('word ', 200), 'stop' from generate_series(2, 4999) n",
        conversation,
    )
    listed = await served.get("/conversations?run=run-long")
    assert len(listed.body) < 2_000
    first = (await served.get(f"/conversations/{conversation}?turns=500")).json["messages"]
    assert [turn["number"] for turn in first] == list(range(500))
    rest = await served.get(f"/conversations/{conversation}/turns?first=4500&limit=1000")
    assert [turn["number"] for turn in rest.json["items"]] == list(range(4_500, 5_000))
    (await served.get("/conversations/run-none.0.0/turns")).problem(404, "not-found")
