"""Conversations that were made elsewhere go through the layers, come out as a data set, and go in again."""

import asyncio
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from convo_events.snapshots import Snapshots
from convo_gateway.exports.format import lines_of, metadata_of
from convo_gateway.exports.verify import verify_folder
from tests.fake_provider.draw import Draw
from tests.fake_provider.replies import passage
from tests.faults.invariants import check_all
from tests.gateway.exports.exporting import exported
from tests.gateway.serving import Served, eventually, serving
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected

CATALOG = """
kind: backend
name: import-judges
base_url: ${FAKE_URL}
key_env: FAKE_KEY
models: [{name: judge, prices: {rates: {input: 2, output: 8}, source: test}}]
---
kind: prompt-set
name: old-chats
modes: [import]
segments: {judge: Judge what somebody said elsewhere.}
---
kind: run-config
name: clean-only
mode: import
target_count: 10000000
threads: 24
prompt_set: old-chats
rules: {assistant_embodied: {enabled: false}}
---
kind: run-config
name: clean-and-judge
mode: import
target_count: 10000000
threads: 24
prompt_set: old-chats
rules: {assistant_embodied: {enabled: false}}
roles: {judge: {backend: import-judges, model: judge, max_tokens: 200}}
judge:
  criteria: [{name: natural, question: Is it natural?}]
  threshold: 2.5
"""
GOOD, COPIES, STAGED, ODD = 120, 9, 7, 5
HISTORY = [
    "step.requested",
    "step.generated",
    "step.requested",
    "step.filtered",
    "conversation.accepted",
]


def said(number: int) -> list[str]:
    """Four turns that no other number has."""
    return [passage(Draw(b"%d.%d" % (number, turn)), 25) for turn in range(4)]


def row(turns: list[str], **more: object) -> dict[str, object]:
    roles = ["user", "assistant"] * len(turns)
    messages = [{"role": r, "content": t} for r, t in zip(roles, turns, strict=False)]
    return {"messages": messages, **more}


def old_data_set() -> list[dict[str, object]]:
    """Sound rows first, then near copies of some, stage directions, and rows that are no conversations."""
    copies = [[*said(n)[:3], said(n)[3] + " Well, then."] for n in range(COPIES)]
    staged = [[*said(n)[:3], f"*smiles warmly* {said(n)[3]}"] for n in range(500, 500 + STAGED)]
    system = {"role": "system", "content": "Be kind."}
    first = row(said(0), topic="bees")
    first["messages"] = [system, *first["messages"]]  # type: ignore[misc]  # a list, as row made it
    return [
        first,
        *(row(said(n)) for n in range(1, GOOD)),
        *(row(turns) for turns in copies),
        *(row(turns) for turns in staged),
        *({"messages": [{"role": "user", "content": None}]} for _ in range(ODD)),
    ]


def lines(rows: Iterable[object]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in rows)


async def brought_in(served: Served, name: str, content: bytes) -> dict[str, Any]:
    answer = await served.post(
        f"/imports?name={name}",
        data=io.BytesIO(content),
        headers={"Content-Type": "application/octet-stream"},
    )
    assert answer.status in (200, 202), answer.body
    shown: dict[str, Any] = {}

    async def is_read() -> bool:
        shown.update((await served.get(f"/imports/{answer.json['id']}")).json)
        return shown["status"] != "reading"

    await eventually(is_read)
    assert shown["status"] == "ready", shown
    return shown


async def cleaned(p: Pipeline, served: Served, **wish: object) -> tuple[str, dict[str, Any]]:
    """A run when it has ended."""
    answer = await served.post("/runs", json=wish)
    assert answer.status in (201, 202), answer.body
    run = str(answer.json["id"])
    view = await p.ended(run)
    assert view["status"] == "completed"
    return run, view


async def turns_of(p: Pipeline, run: str, status: str) -> set[tuple[str, ...]]:
    rows = await p.all(
        "select t.conversation, array_agg(t.role || ': ' || t.body order by t.number) as told from turn t"
        " join conversation c on c.id = t.conversation where c.run = $1 and c.status = $2 group by 1",
        run,
        status,
    )
    return {tuple(one["told"]) for one in rows}


async def systems_of(p: Pipeline, run: str) -> dict[str, str]:
    """First turn to the system message before it."""
    rows = await p.all(
        "select t.body, o.metadata ->> 'system' as system from origin o join conversation c on c.id = o.conversation"
        " join turn t on t.conversation = c.id and t.number = 0 where c.run = $1",
        run,
    )
    return {one["body"]: one["system"] for one in rows if one["system"] is not None}


def beside_turns(file: Path) -> list[dict[str, Any]]:
    """What stands beside the turns of each row of an exported file."""
    if file.suffix == ".parquet":
        return pq.read_table(file).to_pylist()  # type: ignore[no-any-return]  # pyarrow has no types
    return [dict(metadata_of(line)) for line in lines_of(file)]


def told(turns: list[str]) -> tuple[str, ...]:
    roles = ["user", "assistant"] * len(turns)
    return tuple(f"{r}: {t}" for r, t in zip(roles, turns, strict=False))


async def served_catalog(served: Served) -> None:
    await served.until_ready()
    content = io.BytesIO(CATALOG.encode())
    yaml = {"Content-Type": "application/yaml"}
    answer = await served.post("/catalog/import", data=content, headers=yaml)
    assert answer.status == 200, answer.body


def test_an_old_data_set_is_cleaned_judged_and_paid_for_only_where_it_is_judged(
    story: Story,
) -> None:
    async def cleans(p: Pipeline) -> None:
        p.provider.program(accept_share=1.0)
        async with serving(p.stack.env("gateway"), p.stack.database_url) as served:
            await served_catalog(served)
            found = await brought_in(served, "old.jsonl", lines(old_data_set()))
            whole = GOOD + COPIES + STAGED
            assert (found["taken"], found["refused"]) == (whole, ODD)

            wish = {"config": "clean-and-judge", "import_source": found["id"]}
            guess = (await served.post("/runs/estimate", json=wish)).json["estimate"]
            assert (guess["conversations"], guess["generation"]["expected"]) == (whole, 0)
            assert [role["role"] for role in guess["roles"]] == ["judge"]
            for bad, pointer in (
                ({"config": "clean-only"}, "/import_source"),
                ({"config": "clean-only", "import_source": "imp-none"}, "/import_source"),
                ({**wish, "target_count": whole + 1}, "/target_count"),
            ):
                refused = (await served.post("/runs", json=bad)).problem(422, "invalid")
                assert [one["pointer"] for one in refused["errors"]] == [pointer]

            run, view = await cleaned(p, served, **wish)
            stuck = await served.ask("DELETE", f"/api/v1/imports/{found['id']}")
            assert stuck.status == 204, "no run takes it any more"

        reasons = await p.all("select reason, n from reject_count where run = $1", run)
        assert {one["reason"]: one["n"] for one in reasons} == {
            "near_duplicate": COPIES,
            "stage_direction": STAGED,
        }
        assert (view["target"], view["accepted"], view["rejected"]) == (whole, GOOD, whole - GOOD)
        # Which of two near copies is kept is the order in which they come through.
        either = {told(turns) for n in range(GOOD) for turns in (said(n),)}
        assert len(await turns_of(p, run, "accepted") & either) >= GOOD - COPIES
        assert await turns_of(p, run, "accepted") <= either | {
            told([*said(n)[:3], said(n)[3] + " Well, then."]) for n in range(COPIES)
        }
        assert {call.model for call in p.provider.calls()} == {"judge"}
        calls = await p.all("select role, calls, cost_micro from run_cost where run = $1", run)
        assert [one["role"] for one in calls] == ["judge"]
        assert calls[0]["cost_micro"] > 0
        (first,) = await p.all(
            "select body from event where run = $1 and type = 'step.generated'"
            " and body::json #>> '{event,origin,row}' = '1'",
            run,
        )
        event = json.loads(first["body"])["event"]
        assert event["origin"]["metadata"] == {"system": "Be kind.", "topic": "bees"}
        assert event["call"] is None
        snapshots = Snapshots(p.pool)
        await check_all(p, run, await snapshots.get(view["snapshot"]))

    story(cleans)


def test_what_is_exported_comes_in_again_as_it_was(story: Story, tmp_path: Path) -> None:
    async def goes_round(p: Pipeline) -> None:
        texts = {
            f"{n}": [
                f"Naïve café №{n}? \U0001f9d1‍\U0001f680 שלום {n}",
                f"日本語 {n}\n\tx ≤ y",
                f"{said(n)[0]}",
                said(n)[1],
            ]
            for n in range(12)
        }
        rows = [
            row(turns, topic=f"thème {n}", at=[n, None]) for n, turns in enumerate(texts.values())
        ]
        for number, one in enumerate(rows[:6]):
            # A prompt of a real assistant can be long: it comes back whole.
            system = f"Be kind, № {number}.\n" * (1 if number else 5_000)
            one["messages"].insert(0, {"role": "system", "content": system})  # type: ignore[attr-defined]  # a list
        async with serving(p.stack.env("gateway"), p.stack.database_url) as served:
            await served_catalog(served)
            found = await brought_in(served, "round.jsonl", lines(rows))
            run, _ = await cleaned(p, served, config="clean-only", import_source=found["id"])
            before = await turns_of(p, run, "accepted")
            assert len(before) == len(rows)
            for thread in (0, 11):
                listed = (await served.get(f"/conversations/{run}.{thread}.0/events")).json
                assert [event["type"] for event in listed["items"]] == HISTORY
            systems = await systems_of(p, run)
            assert sorted(len(system) for system in systems.values())[-1] > 50_000

            for format_, pattern, zstd in (
                ("messages", "data/*.jsonl.zst", True),
                ("sharegpt", "data/*.json*", False),
                ("parquet", "data/*.parquet", False),
            ):
                folder = await exported(served, tmp_path / format_, run, format=format_, zstd=zstd)
                (file,) = folder.glob(pattern)
                assert verify_folder(folder).differences == ()
                card = (folder / "README.md").read_text()
                assert found["sha256"] in card
                assert "synthetic" not in card
                beside = await asyncio.to_thread(beside_turns, file)
                assert {one["import_source"] for one in beside} == {found["id"]}
                assert {one["import_row"]: json.loads(one["metadata"]) for one in beside} == {
                    n: {"topic": f"thème {n - 1}", "at": [n - 1, None]} for n in range(1, 13)
                }
                again = await brought_in(
                    served, file.name, await asyncio.to_thread(file.read_bytes)
                )
                assert (again["taken"], again["refused"], again["mended"]) == (len(rows), 0, 0)
                second, _ = await cleaned(p, served, config="clean-only", import_source=again["id"])
                assert await turns_of(p, second, "accepted") == before, format_
                assert await systems_of(p, second) == systems, format_
                kept = "select 1 from origin where source = $1 and metadata ? 'metadata'"
                assert len(await p.all(kept, again["id"])) == len(rows), format_
        assert p.provider.calls() == [], "nobody was asked"

    story(goes_round)
