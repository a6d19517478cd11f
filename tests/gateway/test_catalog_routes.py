"""The catalog over REST: the same behaviour for every kind, tried on personas and run configs."""

import pytest

from convo_events.catalog import KINDS
from tests.gateway import objects
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


def persona(name: str, summary: str = "Someone.") -> dict[str, object]:
    return {"name": name, "summary": summary}


async def test_every_edit_is_a_version_and_old_ones_stay(served: Served) -> None:
    made = await served.post("/personas", json=persona("ann"))
    assert (made.status, made.headers["etag"]) == (201, '"v1"')
    assert made.headers["location"] == "/api/v1/personas/ann"
    changed = await served.ask(
        "PUT",
        "/api/v1/personas/ann?note=clearer",
        json=persona("ann", "Someone else."),
        headers={"If-Match": '"v1"'},
    )
    assert (changed.status, changed.json["version"], changed.json["note"]) == (200, 2, "clearer")
    latest = await served.get("/personas/ann")
    assert latest.json["body"]["summary"] == "Someone else."
    for path in ("/personas/ann?version=1", "/personas/ann/versions/1"):
        assert (await served.get(path)).json["body"]["summary"] == "Someone."
    unchanged = await served.get("/personas/ann", headers={"If-None-Match": '"v2"'})
    assert unchanged.status == 304
    listed = (await served.get("/personas/ann/versions?limit=1")).json
    assert [item["version"] for item in listed["items"]] == [2]
    rest = await served.get("/personas/ann/versions", params={"cursor": listed["next_cursor"]})
    assert [item["version"] for item in rest.json["items"]] == [1]


async def test_an_edit_needs_the_version_that_it_is_based_on(served: Served) -> None:
    await served.post("/personas", json=persona("bob"))
    path, body = "/api/v1/personas/bob", persona("bob", "New.")
    blind = await served.ask("PUT", path, json=body)
    blind.problem(428, "precondition-required")
    for tag in ('"v7"', '"x"', "*", '"v1", "v2"', '"v²"'):
        late = await served.ask("PUT", path, json=body, headers={"If-Match": tag})
        late.problem(412, "changed-meanwhile")
    renamed = await served.ask("PUT", path, json=persona("bobby"), headers={"If-Match": '"v1"'})
    assert renamed.problem(422, "invalid")["errors"][0]["pointer"] == "/name"
    assert (await served.get("/personas/bob")).json["version"] == 1


async def test_a_taken_name_and_bad_bodies_are_refused(served: Served) -> None:
    await served.post("/personas", json=persona("cat"))
    (await served.post("/personas", json=persona("cat", "Other."))).problem(409, "conflict")
    bad = await served.post("/personas", json=persona("UPPER") | {"sumary": 1})
    pointers = {error["pointer"] for error in bad.problem(422, "invalid")["errors"]}
    assert pointers == {"/name", "/sumary"}
    nul = await served.post("/personas", json=persona("nul", "a\0b"))
    nul.problem(422, "invalid")
    (await served.get("/personas/nobody")).problem(404, "not-found")
    (await served.get("/personas/nobody/versions")).problem(404, "not-found")


async def test_lists_are_by_name_with_headlines(served: Served) -> None:
    for name in ("z-one", "z-two", "z-three"):
        await served.post("/run-configs", json=objects.config(name))
    first = (await served.get("/run-configs?limit=2&q=z-")).json
    assert [item["name"] for item in first["items"]] == ["z-one", "z-three"]
    assert first["items"][0]["headline"]["target_count"] == 10
    assert first["items"][0]["body"] is None
    query = {"q": "z-", "cursor": first["next_cursor"], "bodies": "true"}
    rest = (await served.get("/run-configs", params=query)).json
    assert [item["body"]["name"] for item in rest["items"]] == ["z-two"]
    assert rest["next_cursor"] is None


@pytest.mark.parametrize("kind", list(KINDS))
async def test_every_kind_has_its_routes(served: Served, kind: str) -> None:
    assert (await served.get(f"/{kind}")).status == 200
    (await served.get(f"/{kind}/nothing")).problem(404, "not-found")
    (await served.post(f"/{kind}", json={})).problem(422, "invalid")
