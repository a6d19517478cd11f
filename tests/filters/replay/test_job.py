"""Whole replays on a database: against a run that is made with the other settings in the first place."""

import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from convo_events import ids
from convo_events.catalog import FilterList, RuleSetting
from convo_events.conversations import Conversation, Hit, Turn
from convo_events.overlap import near_duplicate_hit
from convo_events.replays import ReplayCounts, VerdictSettings
from convo_events.similarity import Shingles, nearest, shingles, signature
from convo_events.snapshot import Snapshot
from convo_events.snapshots import store_snapshot
from convo_events.store import Pool
from convo_filters.diversity import example_copy
from convo_filters.layers import RuleSet
from convo_filters.replay import claims
from convo_filters.replay.claims import Claim, Progress, Superseded
from convo_filters.replay.job import do
from convo_gateway.stack.infrastructure import Infrastructure
from tests.databases import migrated
from tests.gateway.read_model import BEGAN
from tests.snapshots import snapshot

pytestmark = pytest.mark.anyio

RUN, LANES = "run-synthetic", 4
WORDS = [f"{one}{two}" for one in "bdfgklmnprst" for two in ("a", "e", "i", "o", "ule", "ent")]
EXAMPLE = ("Hi there you old friend", "Hello and how do you do")


@dataclass(frozen=True, slots=True)
class Made:
    """A conversation, and what the judge would say of it."""

    at: int
    turns: tuple[Turn, ...]
    score: float | None
    """None: no verdict can be read."""

    @property
    def id(self) -> str:
        return ids.conversation_id(RUN, self.at % LANES, self.at // LANES)

    @property
    def bodies(self) -> list[str]:
        return [turn.text for turn in self.turns]


def conversations(count: int, seed: int = 3) -> list[Made]:
    """Some innocent, some that a rule hits, and many that are like an earlier one."""
    rng = random.Random(seed)
    made: list[Made] = []
    for at in range(count):
        texts = [" ".join(rng.choices(WORDS, k=14)) + "." for _ in range(4)]
        chance = rng.random()
        if chance < 0.4 and made:
            texts = [*made[rng.randrange(len(made))].bodies]
            for _ in range(rng.randint(0, 2)):
                texts[rng.randrange(4)] = " ".join(rng.choices(WORDS, k=14)) + "."
        if 0.4 < chance < 0.5:
            texts[1] = "*smiles warmly* " + texts[1]
        if 0.45 < chance < 0.6:
            texts[3] += " Buy now and save."
        if 0.6 < chance < 0.65:
            texts = [*EXAMPLE, *texts[2:]]
        turns = tuple(
            Turn(role="assistant" if n % 2 else "user", text=text) for n, text in enumerate(texts)
        )
        made.append(Made(at, turns, rng.choice([None, 1.0, 2.0, 3.0, 3.5, 4.0, 5.0, 5.0])))
    return made


def frozen(count: int, settings: VerdictSettings) -> Snapshot:
    """A run of so many conversations with these settings."""
    made = snapshot()
    config = made.config
    diversity = config.diversity.model_copy(
        update={"near_duplicate": settings.near_duplicate, "example_copy": settings.example_copy}
    )
    example = made.prompt_set.examples[0].model_copy(update={"turns": EXAMPLE})
    assert config.judge is not None
    changed = config.model_copy(
        update={
            "target_count": count,
            "threads": LANES,
            "diversity": diversity,
            "rules": settings.rules,
            "judge": config.judge.model_copy(update={"threshold": settings.threshold}),
        }
    )
    prompts = made.prompt_set.model_copy(update={"examples": (example,)})
    return made.model_copy(
        update={"config": changed, "filter_lists": settings.filter_lists, "prompt_set": prompts}
    )


Row = dict[str, Any]


def the_run(
    made: list[Made], settings: VerdictSettings, judged: set[str] | None = None
) -> dict[str, Row]:
    """What a run with these settings records, conversation by conversation, every pair compared.

    Args:
        made: What it makes, in order.
        settings: Its settings.
        judged: Ids of those of which a score is known; all where it is None.
    """
    snap = frozen(len(made), settings)
    rules, accepted, rows = RuleSet.of(snap), dict[str, Shingles](), dict[str, Row]()
    for one in made:
        conversation = Conversation(turns=one.turns, planned_turns=4)
        found = list(rules.check(conversation))
        said = shingles(one.bodies)
        if settings.near_duplicate is not None:
            near = nearest(said, accepted.items(), settings.near_duplicate)
            found += [near_duplicate_hit(near, (), ())] if near else []
        if settings.example_copy is not None:
            copied = example_copy(one.bodies, snap.prompt_set, settings.example_copy)
            found += [copied] if copied else []
        row = _ending(one, found, settings, judged is None or one.id in judged)
        rows[one.id] = row
        if row["status"] == "accepted":
            accepted[one.id] = said
    return rows


def _ending(one: Made, found: list[Hit], settings: VerdictSettings, is_known: bool) -> Row:
    found.sort(key=lambda hit: (hit.layer, hit.precedence))
    if found:
        first, *also = (hit.model_dump(mode="json") for hit in found)
        return {"status": "rejected", "reason": first["reason"], "hit": first, "also": also}
    if not is_known:
        return {"status": "unjudged", "reason": ""}
    if one.score is None:
        return {"status": "failed", "reason": "judge_unparsed"}
    if settings.threshold is not None and one.score < settings.threshold:
        hit = {"reason": "judge_below_threshold", "layer": 3, "precedence": 1}
        return {"status": "rejected", "reason": hit["reason"], "hit": hit, "score": one.score}
    return {"status": "accepted", "reason": "", "score": one.score}


async def record(pool: Pool, made: list[Made], settings: VerdictSettings) -> dict[str, Row]:
    """Write what a run with these settings records."""
    rows = the_run(made, settings)
    async with pool.acquire() as c:
        content = await store_snapshot(c, frozen(len(made), settings))
        await c.execute(
            "insert into run_view select * from json_populate_record(null::run_view, $1)",
            orjson.dumps(_run_row(content, rows)).decode(),
        )
        written = [_conversation_row(one, rows[one.id]) for one in made]
        await c.execute(
            "insert into conversation select * from json_populate_recordset(null::conversation, $1)",
            orjson.dumps(written).decode(),
        )
        await c.executemany(
            "insert into turn (conversation, number, role, body, finish) values ($1, $2, $3, $4, 'stop')",
            [(one.id, at, t.role, t.text) for one in made for at, t in enumerate(one.turns)],
        )
        await c.executemany(
            "insert into accepted_signature (conversation, run, bands) values ($1, $2, $3)",
            [
                (one.id, RUN, list(signature(shingles(one.bodies), settings.near_duplicate, RUN)))
                for one in made
                if rows[one.id]["status"] == "accepted" and settings.near_duplicate is not None
            ],
        )
    return rows


def _run_row(content: str, rows: dict[str, Row]) -> Row:
    counts = {
        s: sum(row["status"] == s for row in rows.values())
        for s in ("accepted", "rejected", "failed")
    }
    texts = (
        "name",
        "config",
        "mode",
        "reason",
        "detail",
        "blocked_reason",
        "blocked_detail",
        "language",
    )
    zeros = ("config_version", "seed", "epoch", "generated", "cancelled", "opened", "closed", "seq")
    words, numbers = dict.fromkeys(texts, ""), dict.fromkeys(zeros, 0)
    fixed = {
        "run": RUN,
        "kind": "generation",
        "snapshot": content,
        "status": "completed",
        "lanes": LANES,
    }
    return (
        words
        | numbers
        | fixed
        | counts
        | {"target": len(rows), "planned_at": BEGAN.isoformat()}
        | _REST
    )


_REST = {"below_floor": "show", "resumed_seq": 0}


def _conversation_row(one: Made, ending: Row) -> Row:
    layers = {"failed": 0, "accepted": None}
    row = {
        **{"id": one.id, "run": RUN, "thread": one.at % LANES, "number": one.at // LANES},
        **{
            "also": [],
            "detail": "",
            "criteria": [],
            "persona": "ana",
            "voice": "plain",
            "preview": "",
        },
        **{"planned_turns": 4, "turns": 4, "words": 56, "cost_micro": 0, "unknown_calls": 0},
        **{"created_at": BEGAN.isoformat(), "settled_at": BEGAN.isoformat(), "seq": 10 + one.at},
        **{"settled_seq": 10 + one.at, "roughened": 0, "roughen_gave_up": "", "memory_gave_up": ""},
        **{"review": "", "edited": False, "review_version": 0, "score": None},
    }
    hit = ending.get("hit")
    layer = hit["layer"] if hit else layers[ending["status"]]
    return row | {"layer": layer, "hit": None} | ending


async def replayed(
    pool: Pool, wanted: VerdictSettings
) -> tuple[dict[str, tuple[str, str]], ReplayCounts]:
    """Status and reason of what flips, and the counts."""
    await pool.execute("delete from replay")
    await pool.execute(
        "insert into replay (id, run, changes, settings) values ('replay-1', $1, '{}', $2)",
        *(RUN, wanted.model_dump_json()),
    )
    claim = await claims.take(pool, "here")
    assert claim is not None
    assert await do(pool, claim)
    rows = await pool.fetch("select conversation, status, reason from replay_flip")
    counts = await pool.fetchval("select counts from replay_work where state = 'done'")
    found = {row["conversation"]: (row["status"], row["reason"]) for row in rows}
    return found, ReplayCounts.model_validate_json(counts)


OWN = VerdictSettings(
    filter_lists=(FilterList(name="sales", phrases=("buy now",)),),
    near_duplicate=0.55,
    example_copy=0.5,
    threshold=3,
)
EVERY_RULE = ("stage_direction", "banned_phrase", "wrong_length", "repeated_turn")
TRIED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "nothing, but rules look again": {"look_again": EVERY_RULE},
    "a higher threshold": {"threshold": 4},
    "a lower threshold": {"threshold": 1.5},
    "a rule off": {"rules": {"stage_direction": RuleSetting(enabled=False)}},
    "another parameter": {"rules": {"wrong_length": RuleSetting(parameters={"most_words": 13})}},
    "another list": {"filter_lists": (FilterList(name="sales", phrases=("how do you do",)),)},
    "a looser limit": {"near_duplicate": 0.8},
    "a stricter limit": {"near_duplicate": 0.32},
    "no near duplicates": {"near_duplicate": None},
    "a stricter copy limit": {"example_copy": 0.2},
    "a looser copy limit": {"example_copy": 0.9},
    "all at once": {
        "threshold": 2,
        "near_duplicate": 0.32,
        "example_copy": None,
        "rules": {"stage_direction": RuleSetting(enabled=False)},
        "filter_lists": (),
    },
}
COUNT = 120


@pytest.fixture(scope="module")
async def recorded(infrastructure: Infrastructure) -> AsyncIterator[tuple[Pool, dict[str, Row]]]:
    async with migrated(infrastructure, most=2) as pool:
        yield pool, await record(pool, conversations(COUNT), OWN)


@pytest.mark.parametrize("name", TRIED)
async def test_a_replay_is_the_run_with_the_other_settings(
    recorded: tuple[Pool, dict[str, Row]], name: str
) -> None:
    pool, rows = recorded
    wanted = OWN.model_copy(update=TRIED[name])
    flips, counts = await replayed(pool, wanted)
    judged = {key for key, row in rows.items() if row["status"] == "failed" or "score" in row}
    expected = the_run(conversations(COUNT), wanted, judged)
    record_of = {key: (row["status"], row["reason"]) for key, row in rows.items()}
    after = record_of | flips
    assert {key: status for key, (status, _) in after.items()} == {
        key: row["status"] for key, row in expected.items()
    }
    for key, (status, reason) in after.items():
        # Who is rejected by the judge or as a copy anyway is not compared with others again.
        if status == "rejected" and expected[key]["reason"] == "near_duplicate":
            continue
        assert reason == expected[key]["reason"], key
    assert all(flips[key] != record_of[key] for key in flips)
    totals = [status for status, _ in after.values()]
    assert counts.after.model_dump() == {s: totals.count(s) for s in counts.after.model_dump()}
    assert counts.flipped == len(flips)
    if name.startswith("nothing"):
        assert flips == {}
    elif "copy limit" not in name:
        assert flips


async def test_who_lost_the_lease_can_write_no_more(recorded: tuple[Pool, dict[str, Row]]) -> None:
    pool, _ = recorded
    await pool.execute("delete from replay")
    settings = OWN.model_copy(update={"threshold": 4.0}).model_dump_json()
    await pool.execute(
        "insert into replay (id, run, changes, settings) values ('replay-2', $1, '{}', $2)",
        RUN,
        settings,
    )
    first = await claims.take(pool, "one")
    assert first == Claim("replay-2", 1)
    assert await claims.take(pool, "two") is None
    await claims.write(pool, first, Progress("reading", 5, 10))
    await claims.release(pool, first)
    second = await claims.take(pool, "two")
    assert second == Claim("replay-2", 2)
    with pytest.raises(Superseded):
        await claims.write(pool, first, Progress("reading", 6, 10))
    assert not await do(pool, first)
    assert await do(pool, second)
    assert await pool.fetchval("select state from replay_work") == "done"
    assert await pool.fetchval("select count(*) from replay_flip") > 0
    assert await claims.take(pool, "one") is None


async def test_what_never_comes_to_an_end_fails(recorded: tuple[Pool, dict[str, Row]]) -> None:
    pool, _ = recorded
    await pool.execute("delete from replay")
    await pool.execute(
        "insert into replay (id, run, changes, settings) values ('r', $1, '{}', '{}')", RUN
    )
    for _ in range(claims.MOST_TRIES):
        claim = await claims.take(pool, "one")
        assert claim is not None
        await claims.release(pool, claim)
    assert await claims.take(pool, "one") is None
    assert await pool.fetchval("select state from replay_work") == "failed"


async def test_settings_that_cannot_be_had_are_told(recorded: tuple[Pool, dict[str, Row]]) -> None:
    pool, _ = recorded
    await pool.execute("delete from replay")
    strange = OWN.model_copy(update={"rules": {"no_such_rule": RuleSetting(parameters={"a": 1})}})
    await pool.execute(
        "insert into replay (id, run, changes, settings) values ('r', $1, '{}', $2)",
        *(RUN, strange.model_dump_json()),
    )
    claim = await claims.take(pool, "one")
    assert claim is not None
    assert await do(pool, claim)
    assert "no_such_rule" in await pool.fetchval("select problem from replay_work")
