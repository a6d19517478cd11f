"""Runs over REST: the list, the page, and what is kept of a run."""

import base64
import itertools
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

import asyncpg
import orjson
import pytest

from convo_events.prices import OffPeak, Prices, Rates
from convo_events.snapshots import store_snapshot
from tests.gateway.read_model import BEGAN, ReadModel
from tests.gateway.serving import Served
from tests.journeys.configs import snapshot

pytestmark = pytest.mark.anyio


async def test_list_is_paged_newest_first_without_gaps(
    served: Served, read_model: ReadModel
) -> None:
    for at in range(7):
        await read_model.run(
            f"run-page{at}", config="paged", planned_at=BEGAN + timedelta(minutes=at // 2)
        )
    seen: list[str] = []
    cursor = None
    for _ in range(4):
        query = {"config": "paged", "limit": "2"} | ({"cursor": cursor} if cursor else {})
        page = (await served.get("/runs", params=query)).json
        seen += [run["id"] for run in page["items"]]
        cursor = page["next_cursor"]
    assert seen == [f"run-page{at}" for at in (6, 5, 4, 3, 2, 1, 0)]
    assert cursor is None


async def test_list_filters_by_status_and_name(served: Served, read_model: ReadModel) -> None:
    await read_model.run("run-f1", config="filtered", status="paused", name="Überfall 100%")
    await read_model.run("run-f2", config="filtered", status="completed", name="other")
    await read_model.run("run-f3", config="filtered", status="running", name="ÜBER_all")

    async def ids(**query: object) -> set[str]:
        page = (await served.get("/runs", params={"config": "filtered"} | query)).json
        return {run["id"] for run in page["items"]}

    assert await ids(status=["paused", "completed"]) == {"run-f1", "run-f2"}
    assert await ids(q="über") == {"run-f1", "run-f3"}
    assert await ids(q="0%") == {"run-f1"}
    assert await ids(q="_a") == {"run-f3"}
    statuses = (await served.get("/runs")).json["statuses"]
    assert statuses["paused"] >= 1
    assert statuses["completed"] >= 1


async def test_list_filters_by_day(served: Served, read_model: ReadModel) -> None:
    days = (
        ("eve", datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=UTC)),
        ("dawn", datetime(2026, 3, 2, tzinfo=UTC)),
        ("night", datetime(2026, 3, 2, 23, 59, tzinfo=UTC)),
        ("later", datetime(2026, 3, 9, 12, tzinfo=UTC)),
    )
    for name, moment in days:
        await read_model.run(f"run-{name}", config="by-day", planned_at=BEGAN, started_at=moment)
    waits = {"status": "queued", "started_at": None, "planned_at": days[3][1]}
    await read_model.run("run-waits", config="by-day", **waits)

    async def found(**query: str) -> tuple[str, int, int]:
        page = (await served.get("/runs", params={"config": "by-day", "limit": "2"} | query)).json
        names = [run["id"][4:] for run in page["items"]]
        while cursor := page["next_cursor"]:
            more = query | {"config": "by-day", "limit": "2", "cursor": cursor}
            page = (await served.get("/runs", params=more)).json
            names += [run["id"][4:] for run in page["items"]]
        return " ".join(sorted(names)), page["total"], sum(page["statuses"].values())

    assert await found() == ("dawn eve later night waits", 5, 5)
    assert await found(**{"from": "2026-03-02"}) == ("dawn later night waits", 4, 4)
    assert await found(to="2026-03-02") == ("dawn eve night", 3, 3)
    assert await found(**{"from": "2026-03-02", "to": "2026-03-02"}) == ("dawn night", 2, 2)
    assert await found(**{"from": "2026-03-03", "to": "2026-03-02"}) == ("", 0, 0)
    assert await found(**{"from": "0001-01-01", "to": "9999-12-31"}) == await found()
    assert (await served.get("/runs", params={"to": "yesterday"})).problem(422, "invalid")


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("name", "bca"),
        ("-name", "acb"),
        ("-target", "bac"),
        ("target", "cab"),
        ("-accepted", "cab"),
        ("-cost", "cba"),
        ("started", "abc"),
        ("-started", "cba"),
    ],
)
async def test_list_is_sorted_and_paged(
    served: Served, read_model: ReadModel, sort: str, order: str
) -> None:
    name = sort.replace("-", "m")
    values = {"a": ("zebra", 20, 2, 1), "b": ("Ape", 30, 1, 2), "c": ("bee", 10, 3, 3)}
    for at, (letter, (called, target, accepted, cost)) in enumerate(values.items()):
        run = await read_model.run(
            f"run-{name}{letter}",
            config=f"sorted-{name}",
            name=called,
            target=target,
            accepted=accepted,
            planned_at=BEGAN + timedelta(minutes=at),
        )
        await read_model.cost(run, "user", cost_micro=cost)
    seen, query = "", {"config": f"sorted-{name}", "sort": sort, "limit": "1"}
    for _ in values:
        page = (await served.get("/runs", params=query)).json
        seen += page["items"][0]["id"][-1]
        query["cursor"] = page["next_cursor"]
    assert (seen, query["cursor"]) == (order, None)


async def test_a_cursor_belongs_to_its_order(served: Served, read_model: ReadModel) -> None:
    for at in range(2):
        await read_model.run(f"run-order{at}", config="ordered")
    page = (await served.get("/runs?config=ordered&limit=1&sort=name")).json
    other = {"config": "ordered", "sort": "-cost", "cursor": page["next_cursor"]}
    (await served.get("/runs", params=other)).problem(422, "invalid")


async def test_list_counts_what_each_choice_would_leave(
    served: Served, read_model: ReadModel
) -> None:
    made = [("x", "paused"), ("x", "failed"), ("y", "failed"), ("y", "failed"), ("y", "queued")]
    for at, (config, status) in enumerate(made):
        await read_model.run(f"run-count{at}", config=f"count-{config}", status=status)
    query = {"q": "run-count", "config": "count-y", "status": "failed"}
    page = (await served.get("/runs", params=query)).json
    assert page["total"] == 2
    assert page["statuses"] == {"failed": 2, "queued": 1}, "of this config"
    assert page["configs"] == {"count-x": 1, "count-y": 2}, "with this status"


async def test_runs_are_listed_by_id(served: Served, read_model: ReadModel) -> None:
    for letter in "ab":
        await read_model.run(f"run-id{letter}")
    page = (await served.get("/runs", params={"id": ["run-idb", "run-ida", "run-none"]})).json
    assert {run["id"] for run in page["items"]} == {"run-ida", "run-idb"}


async def test_unknown_parameters_and_cursors_are_refused(served: Served) -> None:
    document = (await served.get("/runs?colour=red")).problem(422, "invalid")
    assert document["errors"][0]["pointer"] == "/colour"
    (await served.get("/runs?limit=1001")).problem(422, "invalid")
    for cursor in ("x", "bnVsbA", "eyJhIjoxfQ", "é"):
        answer = await served.get("/runs", params={"cursor": cursor})
        assert answer.problem(422, "invalid")["errors"][0]["source"] == "query"
    foreign = orjson.dumps(["events", 1])
    text = base64.urlsafe_b64encode(foreign).decode()
    (await served.get("/runs", params={"cursor": text})).problem(422, "invalid")


async def test_page_reads_in_order_and_counts_with_population(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run(
        "run-whole",
        status="completed",
        target=10,
        generated=9,
        accepted=6,
        rejected=3,
        failed=1,
        ended_at=BEGAN + timedelta(minutes=5),
        distinct3_floor=0.99,
    )
    for at in range(6):
        await read_model.conversation(run, at, turns=("the same old words", "the same old words"))
    await read_model.cost(run, "assistant", cost_micro=3_000_000)
    await read_model.cost(run, "user", cost_micro=1_000_000, unknown_calls=2, unknown_micro=70)
    await read_model.cost(run, "judge", cost_micro=0, calls=4, unpriced_calls=4)
    page = (await served.get(f"/runs/{run}")).json
    keys = [key for key in page if key in ("requested", "happened", "produced", "evidence")]
    assert keys == ["requested", "happened", "produced", "evidence"]
    produced = page["produced"]
    assert produced["accepted"] == {
        "value": 6,
        "unit": "conversations",
        "scope": "this run",
        "of": 10,
    }
    made = ("accepted", "rejected", "failed", "cancelled", "open")
    assert sum(produced[name]["value"] for name in made) == 10
    assert (page["rate_per_minute"], page["eta_s"]) == (2.0, None)
    cost = produced["cost"]
    assert cost["total"]["known_micro"] == 4_000_000
    assert (cost["total"]["unknown_calls"], cost["total"]["unknown_micro"]) == (2, 70)
    assert cost["split"]["generation"]["known_micro"] == 4_000_000
    assert cost["split"]["judge"]["known_micro"] is None, "unknown is never 0"
    assert cost["split"]["memory"]["known_micro"] == 0
    assert cost["estimate_error"] == 0.25
    diversity = produced["diversity"]
    assert diversity["conversations"]["value"] == 6
    assert diversity["distinct3"] == pytest.approx(2 / 24)
    assert diversity["below_floor"] is True


async def test_page_has_a_tag(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-tag", status="completed", ended_at=BEGAN)
    first = await served.get(f"/runs/{run}")
    again = await served.get(f"/runs/{run}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    await read_model.set_run(run, accepted=1)
    changed = await served.get(f"/runs/{run}", headers={"If-None-Match": first.headers["etag"]})
    assert (changed.status, changed.json["accepted"]) == (200, 1)


async def test_eta_only_while_it_moves(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-eta", target=100, accepted=40)
    await read_model.execute(
        "update run_view set started_at = now() - interval '1 hour' where run = $1", run
    )
    await read_model.execute(
        "insert into run_minute values ($1, date_trunc('minute', now()), 20, 10, 10)", run
    )
    page = (await served.get(f"/runs/{run}")).json
    assert page["rate_per_minute"] == 20.0
    assert page["eta_s"] == 180.0
    await read_model.set_run(run, status="paused", reason="requested")
    page = (await served.get(f"/runs/{run}")).json
    assert (page["rate_per_minute"], page["eta_s"]) == (None, None), "it is not to move"
    assert page["happened"]["why_not_moving"] == "It was paused; resume it to go on."


async def test_page_says_what_it_waits_for(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-wait", opened=3, closed=1)
    state = {"kind": "judge", "reason": "rate_limited", "last": "deferred"}
    for thread in range(2):
        await read_model.insert(
            "thread",
            run=run,
            thread=thread,
            phase="due",
            epoch=1,
            not_before=BEGAN + timedelta(hours=1),
            at=BEGAN,
            seq=thread,
            state=orjson.dumps(state).decode(),
        )
    page = (await served.get(f"/runs/{run}")).json
    why = page["happened"]["why_not_moving"]
    assert why.startswith("2 of 2 open threads wait for a backend (rate_limited)")
    judge = page["evidence"]["pipeline"][2]
    assert (judge["stage"], judge["deferred"]["value"]) == ("judge", 2)
    blocked = {"blocked_reason": "backend_auth", "blocked_detail": "The key was refused."}
    await read_model.set_run(run, **blocked)
    page = (await served.get(f"/runs/{run}")).json
    assert "The key was refused." in page["happened"]["why_not_moving"]


async def test_rejects_come_in_precedence_order(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-rejects", accepted=1, rejected=12, failed=1, target=20)
    await read_model.reason(run, "judge_below_threshold", 3, 1, 900)
    await read_model.reason(run, "stage_direction", 1, 20, 3)
    await read_model.reason(run, "generation_failed", 0, 1, 1)
    await read_model.reason(run, "empty_turn", 1, 10, 2)
    hit = {"reason": "stage_direction", "layer": 1, "turn": 1, "excerpt": "*smiles*"}
    for at in range(12):
        await read_model.conversation(
            run, at, status="rejected", reason="stage_direction", layer=1, hit=hit
        )
    found = (await served.get(f"/runs/{run}/rejects")).json
    assert [(r["reason"], r["layer"]) for r in found["reasons"]] == [
        ("generation_failed", 0),
        ("empty_turn", 1),
        ("stage_direction", 1),
        ("judge_below_threshold", 3),
    ]
    assert found["reasons"][0]["counted_under"] == "failed"
    assert [r["id"] for r in found["last"]] == [f"{run}.{at}.0" for at in range(11, 1, -1)]
    assert found["last"][0]["excerpt"] == "*smiles*"
    assert (found["population"]["value"], found["population"]["of"]) == (13, 14)


async def test_snapshot_is_given_as_it_was_frozen(served: Served, read_model: ReadModel) -> None:
    body = orjson.dumps({"config": {"name": "quick"}, "versions": {"personas/pat": 2}})
    await read_model.insert("snapshot", hash="b" * 64, body=body)
    run = await read_model.run("run-frozen", snapshot="b" * 64)
    answer = await served.get(f"/runs/{run}/snapshot")
    assert (answer.body, answer.headers["etag"]) == (body, f'"{"b" * 64}"')
    requested = (await served.get(f"/runs/{run}")).json["requested"]
    assert requested["versions"] == {"personas/pat": 2}


async def test_events_are_paged_without_text(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-events")
    secret = {"type": "step.generated", "thread": 0, "turns": [{"text": "private words"}]}
    for number in range(1, 6):
        event = {"type": "run.kicked", "threads": number} if number % 2 else secret
        await read_model.event(run, number, event)
    found, cursor = [], None
    for _ in itertools.count():
        query = {"limit": "2"} | ({"cursor": cursor} if cursor else {})
        answer = await served.get(f"/runs/{run}/events", params=query)
        assert b"private words" not in answer.body
        found += answer.json["items"]
        cursor = answer.json["next_cursor"]
        if cursor is None:
            break
    assert [event["seq"] for event in found] == [1, 2, 3, 4, 5]
    assert found[0]["event"]["threads"] == 1
    assert found[1]["event"] is None
    life = (await served.get(f"/runs/{run}/events?about=run")).json["items"]
    assert [event["seq"] for event in life] == [1, 3, 5]


@pytest.mark.parametrize("path", ["", "/rejects", "/snapshot", "/events", "/export/manifest"])
async def test_a_run_that_is_not_there(served: Served, path: str) -> None:
    document = (await served.get(f"/runs/run-nowhere{path}")).problem(404, "not-found")
    assert "run-nowhere" in document["detail"]


async def test_a_queued_run_says_which_window_it_waits_for(
    served: Served, read_model: ReadModel
) -> None:
    night = OffPeak(
        start=time(22),
        end=time(6),
        zone="Europe/Berlin",
        rates=Rates(input=Decimal(1), output=Decimal(1)),
    )
    prices = Prices(rates=Rates(input=Decimal(2), output=Decimal(2)), off_peak=(night,))
    connection = await asyncpg.connect(read_model.url)
    try:
        content = await store_snapshot(connection, snapshot(3, prices=prices))
    finally:
        await connection.close()
    opens = datetime(2099, 7, 1, 20, tzinfo=UTC)
    run = await read_model.run(
        "run-for-the-night", status="queued", started_at=None, not_before=opens, snapshot=content
    )
    waits = (await served.get(f"/runs/{run}")).json["happened"]["why_not_moving"]
    assert "the off-peak window of fake/writer at 22:00 Europe/Berlin" in waits
    await read_model.set_run(run, not_before=opens + timedelta(hours=11))
    plain = (await served.get(f"/runs/{run}")).json["happened"]["why_not_moving"]
    assert plain == "It waits for its start at 2099-07-02 07:00 UTC."
