"""Replays of real runs by the filters of a real stack: the run's own settings give the run's own record."""

import asyncio
import json
from typing import Any

import pytest

from convo_events.replays import VerdictSettings
from convo_events.snapshot import Snapshot
from tests.fake_provider.rules import Match, Rule, Scripted
from tests.faults.invariants import check_all
from tests.journeys.configs import snapshot
from tests.journeys.pipeline import Pipeline
from tests.journeys.shared import Story

pytestmark = pytest.mark.connected

EVERY_RULE = "select r ->> 'reason' as reason from announced_rules, jsonb_array_elements(rules) r"


async def replayed(p: Pipeline, replay: str, run: str, settings: VerdictSettings) -> dict[str, Any]:
    """What the filters made of the wish."""
    await p.pool.execute(
        "insert into replay (id, run, changes, settings) values ($1, $2, '{}', $3)",
        *(replay, run, settings.model_dump_json()),
    )
    async with asyncio.timeout(300):
        while True:
            found = await p.all("select * from replay_work where replay = $1", replay)
            if found and found[0]["state"] != "running":
                break
            await asyncio.sleep(0.05)
    assert found[0]["state"] == "done", found[0]["problem"]
    return dict(json.loads(found[0]["counts"]))


def test_a_real_run_is_replayed_beside_its_record(story: Story) -> None:
    async def tried(p: Pipeline) -> None:
        run, frozen = "run-replayed", _frozen()
        # Half of the answers are the same words: near duplicates, found by the filters and at the serial point.
        words = "the harbour was quiet and every boat lay still under a pale morning sky " * 3
        stage = "*smiles softly* " + words[::-1]
        texts = (words, "Ask me anything about tides and boats.", stage, words) * 6
        p.provider.program(Rule(match=Match(model="writer"), action=Scripted(texts=texts)))
        await p.start(run, frozen)
        view = await p.ended(run)
        before = await p.all("select * from conversation where run = $1 order by id", run)

        own = VerdictSettings.of(frozen)
        assert (await replayed(p, "replay-own", run, own))["flips"] == []
        every = tuple(row["reason"] for row in await p.all(EVERY_RULE))
        again = own.model_copy(update={"look_again": every})
        counts = await replayed(p, "replay-again", run, again)
        assert counts["flips"] == []
        assert counts["before"]["accepted"] == view["accepted"]
        assert sum(counts["before"].values()) == frozen.target

        highest = own.model_copy(update={"threshold": 5.0})
        counts = await replayed(p, "replay-strict", run, highest)
        stay = _reaching(5, before, "status", "accepted")
        # Who was judged and then met a near one as both were settled takes its place where that one does not stay.
        may_follow = _reaching(5, before, "reason", "near_duplicate")
        assert stay <= counts["after"]["accepted"] <= stay + may_follow

        assert await p.all("select * from conversation where run = $1 order by id", run) == before
        await check_all(p, run, frozen)

    story(tried)


def _reaching(score: float, rows: list[dict[str, Any]], field: str, value: str) -> int:
    """How many conversations with that value have such a score."""
    return sum(row[field] == value and (row["score"] or 0) >= score for row in rows)


def _frozen() -> Snapshot:
    return snapshot(24, threads=8, concurrency=8)
