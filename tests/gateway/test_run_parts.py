"""Parts of a run's page over REST: throughput, diversity as it went, what was frozen, the pipeline."""

from datetime import timedelta

import orjson
import pytest

from convo_events.cardinality import STANDARD_ERROR, Cardinality, packed
from convo_events.distinct import distinct_n, gram_hashes, ngrams
from convo_events.ids import outcome_id
from convo_gateway.diversity_history import windows
from tests.gateway.objects import backend
from tests.gateway.read_model import BEGAN, ReadModel
from tests.gateway.serving import Served
from tests.journeys.configs import snapshot

pytestmark = pytest.mark.anyio


async def test_minutes_are_the_newest_oldest_first(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-minutes")
    for at in range(4):
        minute = BEGAN + timedelta(minutes=at)
        await read_model.insert(
            "run_minute", run=run, minute=minute, accepted=at, rejected=1, failed=0
        )
    found = (await served.get(f"/runs/{run}/minutes", params={"limit": "3"})).json
    assert [item["accepted"] for item in found["items"]] == [1, 2, 3]
    assert (found["minutes"]["value"], found["minutes"]["of"]) == (3, 4)


async def test_diversity_has_a_history(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-diverse", accepted=3, distinct3_floor=0.5)
    texts = ["one two three four", "one two three four", "five six seven"]
    for at, text in enumerate(texts):
        await read_model.conversation(run, at, turns=(text,))
    found = (await served.get(f"/runs/{run}/diversity")).json
    assert [(point["accepted"], point["distinct3"]) for point in found["points"]] == [
        (1, 1.0),
        (2, 0.5),
        (3, 0.6),
    ]
    assert (found["floor"], found["window"]) == (0.5, 100)
    empty = await read_model.run("run-none")
    assert (await served.get(f"/runs/{empty}/diversity")).json["points"] == []


async def test_diversity_of_a_run_that_ended_is_not_an_old_one(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-ends", accepted=1)
    await read_model.conversation(run, 0, turns=("one two three",))
    for path in ("", "/diversity"):
        await served.get(f"/runs/{run}{path}")
    await read_model.conversation(run, 1, turns=("one two three",))
    await read_model.set_run(run, accepted=2, status="completed", ended_at=BEGAN)
    page = (await served.get(f"/runs/{run}")).json
    assert page["produced"]["diversity"]["distinct3"] == 0.5
    points = (await served.get(f"/runs/{run}/diversity")).json["points"]
    assert points[-1] == {"accepted": 2, "distinct3": 0.5}


async def test_distributions_of_the_last_and_of_all(served: Served, read_model: ReadModel) -> None:
    frozen = snapshot(4, near_duplicate=0.6)
    await read_model.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    run = await read_model.run("run-spread", accepted=3, snapshot=frozen.hash())
    for at, text in enumerate(["Hi there, you all", "Hi there, you two", "Quite another text"]):
        await read_model.conversation(run, at, turns=(text, "one two three four five six"))
    await read_model.conversation(run, 9, turns=("rejected",), status="rejected")

    for over in ("last", "all"):
        found = (await served.get(f"/runs/{run}/distributions?over={over}")).json
        assert (found["conversations"]["value"], found["conversations"]["of"]) == (3, 3)
        assert [(one["n"], one["different"], one["total"]) for one in found["grams"]] == [
            (1, 13, 29),
            (2, 11, 23),
            (3, 8, 17),
        ]
        assert found["grams"][2]["distinct"] == pytest.approx(8 / 17)
        assert found["grams"][2]["standard_error"] is None
        user, assistant = found["lengths"]
        assert (user["role"], user["turns"], user["mean"], user["longest"]) == (
            "user",
            3,
            11 / 3,
            4,
        )
        assert [one["turns"] for one in assistant["bins"] if one["turns"]] == [3]
        assert found["openings"][0]["phrases"][0] == {
            "phrase": "hi there you",
            "at_least": 2,
            "at_most": 2,
        }
        alike = found["similarity"]
        assert (alike["pairs"], alike["limit"]) == (3, 0.6)
        assert alike["between"] == [f"{run}.0.0", f"{run}.1.0"]
        assert alike["highest"] == pytest.approx(5 / 7)
        assert sum(alike["nearest"]) == 2
    empty = await read_model.run("run-no-spread")
    found = (await served.get(f"/runs/{empty}/distributions")).json
    assert (found["grams"], found["openings"], found["similarity"]["mean"]) == ([], [], None)
    assert (await served.ask("GET", f"/api/v1/runs/{run}/distributions?over=some")).status == 422


async def test_distributions_of_many_come_from_what_is_counted(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-many", accepted=12_431, target=20_000)
    path = f"/runs/{run}/distributions?over=all"
    waiting = (await served.get(path)).json
    assert (waiting["conversations"]["value"], waiting["grams"]) == (0, [])

    sample = [await read_model.conversation(run, at, turns=("same words here",)) for at in range(3)]
    sketch = Cardinality()
    sketch.add(gram_hashes([[f"w{at}" for at in range(3_000)]], 1))
    await read_model.insert(
        "run_distribution",
        run=run,
        accepted=12_400,
        position=7,
        window_size=100,
        distinct3=0.5,
        grams=[6_000, 9, 0],
        sketches=packed([sketch, Cardinality(), Cardinality()]),
        lengths='{"user": {"counts": [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "words": 900, "longest": 890}}',
        openings='{"user": [["hi there you", 40, 52]]}',
        sample=sample,
    )
    await read_model.set_run(run, status="completed", ended_at=BEGAN)
    found = (await served.get(path)).json
    assert (found["conversations"]["value"], found["conversations"]["of"]) == (12_400, 12_431)
    words, _, none = found["grams"]
    assert words["distinct"] == pytest.approx(0.5, rel=3 * STANDARD_ERROR)
    assert (words["estimated"], words["standard_error"]) == (True, STANDARD_ERROR)
    assert (none["distinct"], none["total"]) == (None, 0)
    assert found["lengths"][0]["bins"][-1] == {"fewest": 641, "most": None, "turns": 1}
    assert found["lengths"][1]["mean"] is None
    assert found["openings"][0] == {
        "role": "user",
        "conversations": 52,
        "phrases": [{"phrase": "hi there you", "at_least": 40, "at_most": 52}],
    }
    assert found["similarity"]["conversations"]["scope"] == "sample of 12,400 accepted of this run"
    assert (found["similarity"]["highest"], found["similarity"]["limit"]) == (1.0, None)


def test_window_slides_as_if_it_were_taken_anew() -> None:
    texts = [[f"word {at % 7} and {at % 3} go home"] for at in range(40)]
    grams = [list(ngrams(turns, 3)) for turns in texts]
    found = windows(grams, window=10, points=5)
    assert len(found) == 6
    assert found[-1][0] == 40
    for end, value in found:
        assert value == distinct_n(texts[end - 10 : end])


async def test_frozen_objects_say_what_changed_since(served: Served, read_model: ReadModel) -> None:
    await served.post("/backends", json=backend("changes"))
    await served.post("/backends", json=backend("stays"))
    edited = backend("changes") | {"timeout_s": 77}
    tag = {"If-Match": '"v1"'}
    assert (
        await served.ask("PUT", "/api/v1/backends/changes", json=edited, headers=tag)
    ).status == 200
    versions = {"backends/changes": 1, "backends/stays": 1, "personas/gone": 2}
    body = orjson.dumps({"versions": versions})
    await read_model.insert("snapshot", hash="f" * 64, body=body)
    run = await read_model.run("run-frozen", snapshot="f" * 64)
    found = (await served.get(f"/runs/{run}/frozen")).json
    told = [(item["name"], item["latest"], item["changed"]) for item in found["objects"]]
    assert told == [("changes", 2, True), ("stays", 1, False), ("gone", None, True)]


async def test_pipeline_has_what_was_done_and_how_long_it_took(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-stages", generated=5)
    await read_model.conversation(run, 0, status="open")
    await read_model.cost(run, "assistant", calls=9, failed_calls=2)
    await read_model.cost(run, "judge", calls=3, failed_calls=0)
    for at, latency in enumerate((100, 200, 300)):
        event = {"event": {"call": {"latency_ms": latency}}}
        await read_model.call(
            run,
            f"{run}-{at}",
            step=at + 1,
            event_id=outcome_id(run, 0, at + 1, 1),
            event=orjson.dumps(event).decode(),
        )
    page = (await served.get(f"/runs/{run}")).json
    generate, filters, judge = page["evidence"]["pipeline"]
    assert (generate["done"]["value"], generate["failed"]["value"]) == (9, 2)
    assert (generate["latency"]["p50_ms"], generate["latency"]["calls"]["value"]) == (200, 3)
    assert (filters["done"]["value"], filters["failed"], filters["latency"]) == (5, None, None)
    assert (judge["done"]["value"], judge["latency"]) == (3, None)
    await read_model.set_run(run, status="cancelled", ended_at=BEGAN)
    page = (await served.get(f"/runs/{run}")).json
    assert page["evidence"]["pipeline"][1]["done"] is None, "nobody counted"


@pytest.mark.parametrize("path", ["minutes", "diversity", "distributions", "frozen"])
async def test_parts_of_a_run_that_is_not_there(served: Served, path: str) -> None:
    (await served.get(f"/runs/run-nowhere/{path}")).problem(404, "not-found")
