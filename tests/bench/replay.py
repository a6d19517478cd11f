"""Replays of a large run: ``python -m tests.bench.replay`` prints seconds from the wish to the result.

The run is made of rows: conversations of 8 turns of about 30 words, of which some were rejected by rules, as near
duplicates and by the judge, and some failed. Each replay is worked on as the filters do it, in a process of its own.
Beside one of them this process checks conversations, as a replica of the filters would, and prints how long that takes
with and without it. Other work on the machine shows in every figure.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import asyncpg
import orjson

from convo_events import ids
from convo_events.catalog import FilterList, RuleSetting
from convo_events.conversations import Conversation, Turn
from convo_events.migrate import migrate_database
from convo_events.replays import VerdictSettings
from convo_events.similarity import shingles, signature
from convo_events.snapshot import Snapshot
from convo_events.snapshots import store_snapshot
from convo_filters.layers import RuleSet
from convo_filters.replay import claims
from convo_gateway.stack.infrastructure import Infrastructure
from tests.gateway.read_model import BEGAN, ReadModel
from tests.snapshots import snapshot

RUN = "run-bench"
TURNS, WORDS = 8, 30
LIMIT = 0.7
_CONVERSATION = (
    *(
        "id",
        "run",
        "thread",
        "number",
        "status",
        "reason",
        "layer",
        "hit",
        "also",
        "detail",
        "score",
        "criteria",
    ),
    *(
        "persona",
        "voice",
        "planned_turns",
        "turns",
        "words",
        "preview",
        "cost_micro",
        "unknown_calls",
    ),
    *("created_at", "settled_at", "seq", "settled_seq"),
)


def frozen(count: int) -> Snapshot:
    """What the run froze: a filter list, a judge, and the limits of layer 2."""
    made = snapshot()
    config = made.config.model_copy(
        update={"target_count": count, "threads": 64, "filter_lists": ("sales",)}
    )
    listed = FilterList(name="sales", phrases=("w17 w18",))
    return made.model_copy(update={"config": config, "filter_lists": (listed,)})


@dataclass(frozen=True, slots=True)
class Made:
    """One conversation of the run."""

    at: int
    turns: list[str]
    status: str
    hit: dict[str, object] | None
    score: float | None

    @property
    def id(self) -> str:
        """Its id."""
        return ids.conversation_id(RUN, self.at % 64, self.at // 64)


def conversations(count: int, seed: int = 7) -> Iterator[Made]:
    """So many conversations, the same ones for the same seed."""
    rng = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(4_000)]
    accepted: list[tuple[str, list[str]]] = []
    for at in range(count):
        turns = [
            " ".join(rng.choices(vocabulary, k=WORDS)).capitalize() + "." for _ in range(TURNS)
        ]
        draw, score, hit, status = rng.random(), float(rng.randint(2, 10)) / 2, None, "accepted"
        if draw < 0.06:
            status, hit, score_of = "rejected", _hit("stage_direction", 1, 70), None
        elif draw < 0.08 and accepted:
            name, theirs = rng.choice(accepted)
            turns = [*theirs[:-1], turns[-1]]
            near = {"neighbour": name, "similarity": 0.777}
            status, hit, score_of = "rejected", _hit("near_duplicate", 2, 1) | near, None
        elif draw < 0.09:
            status, score_of = "failed", None
        else:
            score_of = score
            if score < 3:
                status, hit = "rejected", _hit("judge_below_threshold", 3, 1)
        made = Made(at, turns, status, hit, score_of)
        if status == "accepted":
            accepted.append((made.id, turns))
            del accepted[:-500]
        yield made


def _hit(reason: str, layer: int, precedence: int) -> dict[str, object]:
    return {"reason": reason, "layer": layer, "precedence": precedence, "detail": reason}


async def fill(url: str, count: int) -> None:
    """Write the rows of the run, as a projector would have left them."""
    model = ReadModel(url)
    connection = await asyncpg.connect(url)
    await migrate_database(connection)
    content = await store_snapshot(connection, frozen(count))
    totals = {"accepted": 0, "rejected": 0, "failed": 0}
    made = conversations(count)
    while part := list(islice(made, 2_000)):
        for one in part:
            totals[one.status] += 1
        await _copy(connection, part)
    await model.run(RUN, snapshot=content, target=count, status="completed", **totals)
    await connection.execute("analyze")
    await connection.close()


async def _copy(connection: "asyncpg.Connection[asyncpg.Record]", part: Sequence[Made]) -> None:
    rows, turns, bands = [], [], []
    for one in part:
        hit, failed = one.hit or {}, one.status == "failed"
        reason = "generation_failed" if failed else str(hit.get("reason", ""))
        layer = 0 if failed else hit.get("layer")
        row = (
            *(one.id, RUN, one.at % 64, one.at // 64, one.status, reason, layer),
            *(orjson.dumps(hit).decode() if hit else None, "[]", reason, one.score, "[]"),
            *("ana", "plain", TURNS, TURNS, 0 if failed else TURNS * WORDS, one.turns[0][:120]),
            *(1_000, 0, BEGAN, BEGAN, one.at + 1, one.at + 1),
        )
        rows.append(row)
        turns += [
            (one.id, number, ("user", "assistant")[number % 2], text, "stop")
            for number, text in enumerate(one.turns)
        ]
        if one.status == "accepted":
            bands.append((one.id, RUN, list(signature(shingles(one.turns), LIMIT, RUN))))
    await connection.copy_records_to_table("conversation", records=rows, columns=_CONVERSATION)
    columns = ("conversation", "number", "role", "body", "finish")
    await connection.copy_records_to_table("turn", records=turns, columns=columns)
    columns = ("conversation", "run", "bands")
    await connection.copy_records_to_table("accepted_signature", records=bands, columns=columns)


def cases(own: VerdictSettings) -> dict[str, VerdictSettings]:
    """What is tried, by name."""
    listed = FilterList(name="sales", phrases=("w17 w18", "w19 w20", "w21", "w22 w23 w24"))
    off = {"stage_direction": RuleSetting(enabled=False)}
    length = {"wrong_length": RuleSetting(parameters={"most_words": 25})}
    return {
        "nothing changed": own,
        "threshold 3 to 3.5": own.model_copy(update={"threshold": 3.5}),
        "threshold 3 to 2.5": own.model_copy(update={"threshold": 2.5}),
        "rule off": own.model_copy(update={"rules": off}),
        "rule with other parameters": own.model_copy(update={"rules": length}),
        "filter list with other phrases": own.model_copy(update={"filter_lists": (listed,)}),
        "near-duplicate limit 0.7 to 0.8": own.model_copy(update={"near_duplicate": 0.8}),
        "near-duplicate limit 0.7 to 0.6": own.model_copy(update={"near_duplicate": 0.6}),
    }


@dataclass(frozen=True, slots=True)
class Timed:
    """One replay."""

    name: str
    seconds: float
    cpu_s: float
    """Of the process that worked on it; the database has its own."""
    flips: int
    memory_mb: float


@dataclass(slots=True)
class Worker:
    """The process that works on replays, as a replica of the filters keeps one."""

    process: asyncio.subprocess.Process

    @classmethod
    async def start(cls, env: dict[str, str]) -> "Worker":
        """Start it."""
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "convo_filters.replay")
        every = {**os.environ, **env}
        made = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env=every)
        return cls(made)

    async def replay(self, pool: asyncpg.Pool, name: str, tried: VerdictSettings) -> Timed:
        """Wish a replay, have it worked on, and read what it came to."""
        wish = "bench-" + name.replace(" ", "-")
        started, before = time.monotonic(), self._cpu_s()
        await pool.execute(
            "insert into replay (id, run, changes, settings) values ($1, $2, '{}', $3)",
            *(wish, RUN, tried.model_dump_json()),
        )
        claim = await claims.take(pool, "bench")
        assert claim is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{claim.replay} {claim.fence}\n".encode())
        assert await self.process.stdout.readline()
        seconds = time.monotonic() - started
        sql = "select state, counts, problem from replay_work where replay = $1"
        row = await pool.fetchrow(sql, wish)
        assert row is not None
        assert row["state"] == "done", row["problem"]
        flips = sum(flip["conversations"] for flip in orjson.loads(row["counts"])["flips"])
        return Timed(name, seconds, self._cpu_s() - before, flips, self._memory_mb())

    def _cpu_s(self) -> float:
        user, system = Path(f"/proc/{self.process.pid}/stat").read_text().split()[13:15]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _memory_mb(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


async def check_latency(busy: "asyncio.Task[Timed] | None", seconds: float) -> list[float]:
    """Milliseconds that a check of all rules takes here, sorted; while the task goes, or for so many seconds."""
    rules = RuleSet.of(frozen(1))
    talk = tuple(
        Turn(role="assistant" if at % 2 else "user", text=text)
        for at, text in enumerate(next(conversations(1)).turns)
    )
    conversation = Conversation(turns=talk, planned_turns=TURNS)
    found, until = [], time.monotonic() + seconds
    while (not busy.done()) if busy else time.monotonic() < until:
        started = time.perf_counter()
        rules.check(conversation)
        found.append((time.perf_counter() - started) * 1_000)
        await asyncio.sleep(0.005)
    return sorted(found)


async def measure(infrastructure: Infrastructure, arguments: argparse.Namespace) -> None:
    """Fill a database and replay every case."""
    url = infrastructure.create_database()
    started = time.monotonic()
    await fill(url, arguments.count)
    print(f"{arguments.count:,} conversations written in {time.monotonic() - started:.0f} s")
    env = infrastructure.env("filters", database_url=url)
    tried = cases(VerdictSettings.of(frozen(arguments.count)))
    async with asyncpg.create_pool(url, min_size=1, max_size=2) as pool:
        worker = await Worker.start(env)
        await worker.replay(pool, "warm-up", tried["nothing changed"])
        for name, settings in tried.items():
            if not arguments.only or arguments.only in name:
                timed = await worker.replay(pool, name, settings)
                print(
                    f"{timed.name:34} {timed.seconds:7.1f} s, {timed.cpu_s:6.1f} s CPU {timed.flips:8,} flips "
                    f"{timed.memory_mb:6.0f} MB"
                )
        alone = await check_latency(None, 5)
        heavy = tried["filter list with other phrases"]
        busy = asyncio.create_task(worker.replay(pool, "beside checks", heavy))
        beside = await check_latency(busy, 0)
        worker.process.kill()
        await worker.process.wait()
    for what, times in (("alone", alone), ("beside a replay", beside)):
        p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        print(f"check of all rules, {what}: p50 {p50:.1f} ms, p99 {p99:.1f} ms")


def main() -> int:
    """Measure, print, exit code 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="conversations of the run")
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="convo-") as folder,
        Infrastructure(Path(folder)) as infrastructure,
    ):
        asyncio.run(measure(infrastructure, arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main())
