"""People review what a run made: over HTTP, through the scheduler and the filters, and nothing of the run changes."""

import asyncio

import pytest

from tests.gateway.serving import Served, serving
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected

RUN = "run-reviewed"
COUNTERS = "select accepted, rejected, failed, cancelled, generated from run_view where run = $1"


async def _put(
    served: Served, name: str, seen: int, **body: object
) -> tuple[int, dict[str, object]]:
    answer = await served.ask(
        "PUT",
        f"/api/v1/conversations/{name}/review",
        json={"reviewer": "Ana", **body},
        headers={"If-Match": f'"v{seen}"'},
    )
    return answer.status, answer.json


async def _until_in_the_corpus(p: Pipeline, count: int) -> None:
    """The corpus is kept a moment behind the fold."""
    async with asyncio.timeout(300):
        while await p.one("select count(*) from corpus where run = $1", RUN) < count:
            await asyncio.sleep(0.05)


def test_s7_an_edit_is_checked_saved_beside_the_original_and_never_overwritten(
    story: Story,
) -> None:
    async def reviewed(p: Pipeline) -> None:
        await p.start(RUN, snapshot(4, threads=2, turns=2))
        await p.ended(RUN)
        before = await p.all(COUNTERS, RUN)
        name = await p.one(
            "select id from conversation where run = $1 and status = 'accepted' order by id", RUN
        )
        said = await p.all("select number, body from turn where conversation = $1", name)
        async with serving(p.stack.env("gateway"), p.stack.database_url) as served:
            await served.until_ready()
            bad = [
                {
                    "turn": 1,
                    "text": "As an AI language model, I cannot help with that. [insert name]",
                }
            ]
            good = [{"turn": 1, "text": "Of course: it was sent on Monday and comes on Thursday."}]

            checked = await served.post(f"/conversations/{name}/review/check", json={"edits": bad})
            assert checked.status == 200, checked.body
            hits = {hit["reason"] for hit in checked.json["hits"]}
            assert "placeholder" in hits

            status, problem = await _put(served, name, 0, edits=bad)
            assert (status, problem["type"]) == (409, "urn:convo:problem:rules-hit")
            assert await p.one("select count(*) from review where conversation = $1", name) == 0
            status, taken = await _put(served, name, 0, edits=good, note="clearer")
            assert (status, taken["version"]) == (200, 1)

            status, problem = await _put(served, name, 0, reviewer="Ben", decision="flagged")
            assert (status, problem["current"]["reviewer"]) == (412, "Ana")
            status, taken = await _put(
                served,
                name,
                1,
                reviewer="Ben",
                decision="rejected",
                reason="tone",
                edits=bad,
                despite=sorted(hits),
            )
            assert (status, taken["version"]) == (200, 2)

            others = await p.all("select id from conversation where run = $1 order by id", RUN)
            places = [{"conversation": row["id"], "seen": 0} for row in others]
            bulk = await served.post(
                "/reviews",
                json={
                    "reviewer": "Ana",
                    "decision": "accepted",
                    "conversations": [*places, {"conversation": "run-no.0.0", "seen": 0}],
                },
            )
            assert (bulk.status, bulk.json["taken"], bulk.json["refused"]) == (200, 3, 2)
            assert {item["code"] for item in bulk.json["items"]} == {"", "changed", "not_found"}

            found = await served.ask("GET", f"/api/v1/conversations/{name}/review")
            assert (found.json["version"], found.headers["etag"]) == (2, '"v2"')
            assert [one["reviewer"] for one in found.json["history"]] == ["Ben", "Ana"]
            missing = await _put(served, name, 2, edits=[{"turn": 9, "text": "x"}])
            assert missing[0] == 422
            assert missing[1]["errors"][0]["pointer"] == "/edits/0/turn"

            await _until_in_the_corpus(p, 4)
            sampled = await served.get(
                f"/reviews/queue?run={RUN}&per=persona&count=1&seed=7&reviewer=Ana"
            )
            again = await served.get(
                f"/reviews/queue?run={RUN}&per=persona&count=1&seed=7&reviewer=Ana"
            )
            assert sampled.json == again.json
            parts = [item["part"] for item in sampled.json["items"]]
            assert len(parts) == len(set(parts)) > 0
            queue = (await served.get(f"/reviews/queue?run={RUN}&reviewer=Ben")).json
            assert (queue["reviewed"], queue["reviewed_by_you"], queue["of"]) == (4, 1, 4)
            pairs = (await served.get(f"/reviews/agreement?run={RUN}")).json["pairs"]
            assert pairs == []  # Ana said nothing but an edit of what Ben rejected

        assert await p.all(COUNTERS, RUN) == before
        assert await p.all("select number, body from turn where conversation = $1", name) == said
        row = (await p.all("select * from conversation where id = $1", name))[0]
        assert (row["status"], row["review"], row["edited"]) == ("accepted", "rejected", True)

    story(reviewed)
