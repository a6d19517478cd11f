"""How long exports take, and what they need: ``python -m tests.bench.exports``.

It fills a Postgres of its own with made-up conversations of one run, and makes each format of all of them in a process
of its own. Printed are seconds, those of its CPU, the largest resident size of that process, and the size of the
folder; for the download of a run at once also the time to the first byte.
"""

import argparse
import asyncio
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import asyncpg

from convo_events.migrate import migrate_database
from convo_events.snapshots import store_snapshot
from convo_gateway.exports.known_formats import known_formats
from convo_gateway.exports.make import Order, make_folder
from convo_gateway.exports.rows import jsonl
from convo_gateway.exports.source import scope_of_run
from convo_gateway.exports.verify import verify_folder
from convo_gateway.reads.runs import existing_run
from convo_gateway.shapes.export_manifest import Made, Source
from convo_gateway.shapes.export_wishes import ExportOptions
from convo_gateway.stack.infrastructure import Infrastructure
from tests.conftest import short_folder
from tests.gateway.exports.written import AT
from tests.gateway.read_model import ReadModel
from tests.snapshots import snapshot

RUN = "run-many"
TURNS = 6
_CONVERSATIONS = """
insert into conversation (id, run, thread, number, status, reason, layer, also, detail, score, criteria, persona, voice,
  planned_turns, turns, words, preview, cost_micro, unknown_calls, created_at, settled_at, seq, settled_seq)
select $1 || '.' || n % 100 || '.' || n / 100, $1, n % 100, n / 100,
  case when n % 4 = 0 then 'rejected' else 'accepted' end,
  case when n % 4 = 0 then 'judge_below_threshold' else '' end, case when n % 4 = 0 then 3 end, '[]', '',
  1 + n % 41 / 10.0, '[{"name": "helpful", "score": 4, "why": "It answers."}]', 'ana', 'plain', $3::int, $3::int, 300,
  'x', 100, 0, now(), now(), n, n
from generate_series(0, $2::int - 1) n
"""
_TEXTS = """
insert into turn (conversation, number, role, body, finish)
select c.id, t, case when t % 2 = 0 then 'user' else 'assistant' end,
  case when t = 0 then 'How do I start?' else repeat('word ' || c.seq || ' ', 30) end, 'stop'
from conversation c cross join generate_series(0, $1::int - 1) t
"""


async def fill(url: str, count: int) -> None:
    """One run of so many conversations with a snapshot that plans them."""
    c = await asyncpg.connect(url)
    frozen = snapshot()
    config = frozen.config.model_copy(update={"target_count": count, "threads": 100})
    try:
        await migrate_database(c)
        content = await store_snapshot(c, frozen.model_copy(update={"config": config}))
        await ReadModel(url).run(RUN, target=count, snapshot=content, status="completed")
        await c.execute(_CONVERSATIONS, RUN, count, TURNS, timeout=600)
        await c.execute(_TEXTS, TURNS, timeout=600)
        await c.execute("analyze", timeout=600)
    finally:
        await c.close()


async def make(url: str, form: str, folder: Path) -> dict[str, float]:
    """One format of everything."""
    options = ExportOptions(
        format=form, splits={"train": 0.9, "test": 0.1}, split_by="conversation"
    )
    order = Order(
        name="Everything",
        source=Source(kind="run", name=RUN),
        scope=scope_of_run(RUN),
        options=options,
        statuses=("accepted", "rejected"),
        made=Made(at=AT, position=0),
        version="0",
    )

    async def report(*_: int) -> None:
        return

    c = await asyncpg.connect(url)
    began = time.monotonic()
    try:
        async with c.transaction(isolation="repeatable_read", readonly=True):
            manifest = await make_folder(c, order, folder, report)
    finally:
        await c.close()
    return {
        "seconds": time.monotonic() - began,
        "rows": manifest.counts.rows,
        "bytes": sum(file.bytes for file in manifest.files),
    }


async def download(url: str) -> dict[str, float]:
    """The lines of a run as they are downloaded at once."""
    c = await asyncpg.connect(url)
    began, first, size = time.monotonic(), 0.0, 0
    try:
        async with c.transaction(isolation="repeatable_read", readonly=True):
            row = await existing_run(c, RUN)
            async for part in jsonl(c, row, ["accepted", "rejected"]):
                first = first or time.monotonic() - began
                size += len(part)
    finally:
        await c.close()
    return {"seconds": time.monotonic() - began, "first": first, "bytes": size}


def one(url: str, form: str) -> None:
    """Make one format in this process, and print what it took."""
    folder = Path(tempfile.mkdtemp(prefix="convo-bench-"))
    try:
        work = download(url) if form == "download" else make(url, form, folder)
        found = asyncio.run(work)
        used = resource.getrusage(resource.RUSAGE_SELF)
        found |= {"cpu_s": used.ru_utime + used.ru_stime, "peak_mib": used.ru_maxrss / 1024}
        if form != "download":
            began = time.monotonic()
            assert verify_folder(folder).differences == ()
            found["verify_s"] = time.monotonic() - began
        print(json.dumps(found))
    finally:
        shutil.rmtree(folder)


def main() -> int:
    """Exit code 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="conversations")
    parser.add_argument("--only", nargs="*", help="formats, and download")
    parser.add_argument("--one", nargs=2, metavar=("URL", "FORMAT"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        one(*asked.one)
        return 0
    with short_folder() as folder, Infrastructure(folder) as running:
        url = running.create_database()
        asyncio.run(fill(url, asked.count))
        for form in asked.only or ("download", *known_formats()):
            command = [sys.executable, "-m", "tests.bench.exports", "--one", url, form]
            found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            told = "  ".join(f"{name} {value:,.1f}" for name, value in found.items())
            print(f"{form:20} {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
