"""Versions compared and restored, who names an object, and the archive."""

import pytest
from yarl import URL

from convo_events.catalog import KINDS
from tests.gateway import objects
from tests.gateway.read_model import BEGAN
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


async def put(served: Served, kind: str, body: dict[str, object], version: int) -> None:
    answer = await served.ask(
        "PUT",
        f"/api/v1/{kind}/{body['name']}",
        json=body,
        headers={"If-Match": f'"v{version}"'},
    )
    assert answer.status == 200, answer.body


async def test_versions_are_compared_field_by_field(served: Served) -> None:
    await served.post(
        "/personas", json={"name": "dee", "summary": "One.", "traits": ["a", "b", "c"]}
    )
    await put(served, "personas", {"name": "dee", "summary": "Two.", "traits": ["a", "c", "d"]}, 1)

    found = (await served.get("/personas/dee/compare?from=1&to=2")).json

    assert (found["from_version"], found["to_version"]) == (1, 2)
    assert found["changes"] == [
        {"pointer": "/summary", "op": "changed", "before": "One.", "after": "Two."},
        {"pointer": "/traits/1", "op": "removed", "before": "b", "after": None},
        {"pointer": "/traits/2", "op": "added", "before": None, "after": "d"},
    ]
    assert "summary: One." in found["before_yaml"]
    assert "summary: Two." in found["after_yaml"]
    assert (await served.get("/personas/dee/compare?from=2")).json["changes"] == []
    (await served.get("/personas/dee/compare?from=9")).problem(404, "not-found")
    (await served.get("/personas/dee/compare?from=0")).problem(422, "invalid")


async def test_a_restore_is_a_new_version(served: Served) -> None:
    await served.post("/voices", json={"name": "eve", "style": "One."})
    await put(served, "voices", {"name": "eve", "style": "Two."}, 1)
    path, wish = "/voices/eve/restore", {"version": 1}
    (await served.post(path, json=wish)).problem(428, "precondition-required")
    late = (await served.post(path, json=wish, headers={"If-Match": '"v1"'})).problem(
        412, "changed-meanwhile"
    )
    assert (late["latest_version"], late["expected_version"]) == (2, 1)

    done = await served.post(path, json=wish, headers={"If-Match": '"v2"'})

    assert (done.status, done.headers["etag"]) == (200, '"v3"')
    assert (done.json["version"], done.json["changed"]) == (3, True)
    assert (done.json["body"]["style"], done.json["note"]) == ("One.", "version 1 restored")
    again = await served.post(path, json=wish, headers={"If-Match": '"v3"'})
    assert (again.json["version"], again.json["changed"]) == (3, False)
    missing = await served.post(path, json={"version": 8}, headers={"If-Match": '"v3"'})
    missing.problem(404, "not-found")


async def test_uses_are_found_in_configs_and_in_runs(served: Served) -> None:
    await objects.add_basics(served.read_model.url)
    await served.post("/run-configs", json=objects.config("naming"))
    await served.read_model.run("run-names-it", config="naming", config_version=1)
    await served.read_model.run(
        "run-over", config="naming", config_version=1, status="completed", ended_at=BEGAN
    )

    voices = (await served.get("/voices/plain/uses")).json
    backends = (await served.get("/backends/api/uses")).json
    unnamed = (await served.get("/backends/unpriced/uses")).json
    config = (await served.get("/run-configs/naming/uses")).json

    assert {"kind": "run-configs", "name": "naming", "version": 1, "pointer": "/voices/0/name"} in (
        voices["items"]
    )
    assert [use["pointer"] for use in backends["items"] if use["name"] == "naming"] == [
        "/roles/assistant/backend"
    ]
    assert (voices["runs"], voices["unfinished_runs"]) == (2, 1)
    assert (unnamed["items"], unnamed["runs"]) == ([], 0)
    assert (config["items"], config["runs"], config["unfinished_runs"]) == ([], 2, 1)
    (await served.get("/voices/nobody/uses")).problem(404, "not-found")


async def test_runs_of_a_config_that_is_not_here_make_the_number_unknown(served: Served) -> None:
    await served.post("/voices", json={"name": "somehow", "style": "One."})
    await served.read_model.run("run-foreign", config="made-elsewhere", config_version=1)
    try:
        found = (await served.get("/voices/somehow/uses")).json
    finally:
        await served.read_model.execute("delete from run_view where run = 'run-foreign'")

    assert (found["runs"], found["unfinished_runs"]) == (None, None)


async def test_the_archive_hides_and_breaks_nothing(served: Served) -> None:
    await served.post("/pools", json={"name": "old-topics", "values": ["rain"]})
    (await served.post("/pools/old-topics/archive", headers={"If-Match": '"v7"'})).problem(
        412, "changed-meanwhile"
    )

    first = await served.post("/pools/old-topics/archive")
    second = await served.post("/pools/old-topics/archive", headers={"If-Match": '"v1"'})

    assert (first.json["archived"], first.json["changed"], first.json["uses"]["items"]) == (
        True,
        True,
        [],
    )
    assert (second.json["archived"], second.json["changed"]) == (True, False)
    listed = (await served.get("/pools?q=old-topics")).json["items"]
    hidden = (await served.get("/pools?q=old-topics&archived=true")).json["items"]
    assert ([item["name"] for item in listed], [item["name"] for item in hidden]) == (
        [],
        ["old-topics"],
    )
    assert (await served.get("/pools/old-topics")).json["archived"] is True
    kept = await served.get("/pools/old-topics", headers={"If-None-Match": '"v1"'})
    assert (kept.status, kept.headers["etag"]) == (200, '"v1-archived"')
    back = await served.post("/pools/old-topics/unarchive")
    assert (back.json["archived"], back.json["changed"], back.json["version"]) == (False, True, 1)
    (await served.post("/pools/nothing/archive")).problem(404, "not-found")


async def test_no_run_starts_from_an_archived_config(served: Served) -> None:
    await objects.add_basics(served.read_model.url)
    await served.post("/run-configs", json=objects.config("shelved"))
    await served.post("/voices/plain/archive")
    wanted = {"config": "shelved"}

    estimate = (await served.post("/runs/estimate", json=wanted)).json
    assert [w["pointer"] for w in estimate["warnings"] if "archived" in w["message"]] == [
        "/voices/0/name"
    ]
    await served.post("/run-configs/shelved/archive")
    for path in ("/runs", "/runs/estimate"):
        refused = (await served.post(path, json=wanted)).problem(409, "conflict")
        assert (refused["code"], refused["state"]) == ("archived", "archived")
    await served.post("/run-configs/shelved/unarchive")
    assert (await served.post("/runs/estimate", json=wanted)).status == 200


HOSTILE = ("%00", "%ED%A0%80", "%F0%9F%92%A9", "a%2Fb", "..%2f..%2f", "'%20or%201=1--", "9" * 400)


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_names_are_refused(served: Served, text: str) -> None:
    for method, path in (
        ("GET", f"/personas/{text}/compare?from=1"),
        ("GET", f"/personas/ann/compare?from={text}&to={text}"),
        ("GET", f"/backends/{text}/uses"),
        ("POST", f"/voices/{text}/archive"),
        ("POST", f"/voices/{text}/restore"),
        ("GET", f"/catalog/export?kind=voices&name={text}"),
        ("GET", f"/catalog/prices?model={text}"),
        ("GET", f"/catalog/schemas/{text}"),
    ):
        url = URL(f"{served.url}/api/v1{path}", encoded=True)
        answer = await served.session.request(
            method, url, headers={"If-Match": '"v1"'}, json={"version": 1}
        )
        assert 400 <= answer.status < 500, (path, answer.status)
        assert answer.headers["content-type"] == "application/problem+json"
        await answer.read()


@pytest.mark.parametrize("kind", list(KINDS))
async def test_every_kind_has_a_history(served: Served, kind: str) -> None:
    for path in ("compare?from=1", "uses"):
        (await served.get(f"/{kind}/nothing/{path}")).problem(404, "not-found")
    for action in ("archive", "unarchive"):
        (await served.post(f"/{kind}/nothing/{action}")).problem(404, "not-found")
    (await served.ask("DELETE", f"/api/v1/{kind}/nothing")).problem(405, "method-not-allowed")
