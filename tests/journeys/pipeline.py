"""Drives a whole stack in tests: runs by command, waits on the fold, the ledger beside the provider's own log."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import orjson
from nats.aio.client import Client

from convo_events.bus import connect
from convo_events.commands import Command, ControlRun, Reply, StartRun
from convo_events.settings import Settings
from convo_events.snapshot import Snapshot
from convo_events.snapshots import store_snapshot
from convo_events.subjects import COMMAND, LOG_STREAM, ROOMS
from convo_gateway.stack.plan import Plan
from convo_gateway.stack.stack import Stack
from tests.fake_provider.client import FakeProvider

SERVICES = ("projector", "filters", "generator", "judge", "scheduler")
PATIENCE_S = 300.0
"""How long a test waits for what has to come: far longer than it takes on a slow machine that stalls."""


@dataclass
class Pipeline:
    """A running stack, without a gateway unless asked for, and what a test needs of it."""

    stack: Stack
    provider: FakeProvider
    pool: asyncpg.Pool
    client: Client
    home: Path

    async def start(
        self,
        run: str,
        snapshot: Snapshot,
        *,
        cap_micro: int | None = None,
        estimate_micro: int | None = 0,
    ) -> Reply:
        """Plan and begin a run."""
        async with self.pool.acquire() as c:
            content_hash = await store_snapshot(c, snapshot)
        config = snapshot.config
        return await self.command(
            StartRun(
                run=run,
                name=run,
                config=config.name,
                config_version=snapshot.config_version,
                mode=config.mode,
                snapshot=content_hash,
                target=config.target_count,
                seed=config.seed,
                lanes=snapshot.lanes,
                estimate_micro=estimate_micro,
                expected_accepted=None,
                spend_cap_micro=cap_micro,
            )
        )

    async def control(self, run: str, action: str) -> Reply:
        """Pause, resume, kick or cancel."""
        return await self.command(ControlRun.model_validate({"run": run, "action": action}))

    async def command(self, command: Command, timeout_s: float = PATIENCE_S) -> Reply:
        """Ask the scheduler; asks again while none leads, and while the one that leads has lost a server."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        last: object = None
        while loop.time() < deadline:
            try:
                message = await self.client.request(
                    COMMAND, command.model_dump_json().encode(), timeout=30
                )
                reply = Reply.model_validate_json(message.data)
                if reply.code != "unavailable":
                    return reply
                last = reply.message
            except Exception as error:  # noqa: BLE001 - nobody answers yet, or the connection is down for a moment
                last = error
            await asyncio.sleep(0.1)
        raise AssertionError(f"no scheduler answered: {last!r}")

    async def view(self, run: str) -> dict[str, Any]:
        """The folded run."""
        row = await self.pool.fetchrow("select * from run_view where run = $1", run)
        return dict(row) if row else {}

    async def until(
        self, run: str, holds: Callable[[dict[str, Any]], bool], timeout_s: float = PATIENCE_S
    ) -> dict[str, Any]:
        """The folded run as soon as it is as asked."""
        deadline = asyncio.get_running_loop().time() + timeout_s
        view: dict[str, Any] = {}
        while asyncio.get_running_loop().time() < deadline:
            try:
                view = await self.view(run)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                view = {}
            if view and holds(view):
                return view
            await asyncio.sleep(0.05)
        raise AssertionError(f"run {run} never got there, it is at {view}")

    async def ended(self, run: str, timeout_s: float = PATIENCE_S) -> dict[str, Any]:
        """The folded run when it is through."""
        return await self.until(
            run, lambda view: view["status"] in ("completed", "cancelled", "failed"), timeout_s
        )

    async def idle(self, timeout_s: float = PATIENCE_S) -> None:
        """Return when no worker holds or waits for a step: what was asked for is done or dropped."""
        js = self.client.jetstream(timeout=30)
        deadline = asyncio.get_running_loop().time() + timeout_s
        while asyncio.get_running_loop().time() < deadline:
            infos = [await js.consumer_info(LOG_STREAM, stage) for stage in ROOMS]
            if not any((info.num_pending or 0) + (info.num_ack_pending or 0) for info in infos):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"steps are still out: {infos}")

    async def at_rest(self, run: str) -> None:
        """Return when nothing is under way in a paused run: who resumes it sooner may meet an answer from before."""
        await self.idle()
        await self.booked(run)

    async def booked(self, run: str, timeout_s: float = PATIENCE_S) -> None:
        """Return when every call of the run has ended, with its reservation given back and its event folded.

        A paused or cancelled run is that before the last of its calls: they end by themselves, a moment later.
        """
        deadline = asyncio.get_running_loop().time() + timeout_s
        while asyncio.get_running_loop().time() < deadline:
            out = await self.all(
                "select step_key, attempt, state from model_attempt a where run = $1"
                " and not exists (select from event e where e.id = a.event_id)",
                run,
            )
            if not out:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"calls of {run} are open, or booked and not folded: {out[:5]}")

    async def all(self, sql: str, *arguments: object) -> list[dict[str, Any]]:
        """Rows of a query."""
        return [dict(row) for row in await self.pool.fetch(sql, *arguments)]

    async def one(self, sql: str, *arguments: object) -> Any:
        """The one value of a query."""
        return await self.pool.fetchval(sql, *arguments)


@asynccontextmanager
async def pipeline(
    provider: FakeProvider,
    *,
    workers: Mapping[str, int] | None = None,
    environ: Mapping[str, str] | None = None,
    report: Callable[[str], None] = lambda line: None,
    services: tuple[str, ...] = SERVICES,
) -> AsyncIterator[Pipeline]:
    """A stack of its own in a folder of its own."""
    home = Path(tempfile.mkdtemp(prefix="convo-"))
    plan = Plan(services=services, workers=dict(workers or {}), grace_s=20)
    environment = {
        **os.environ,
        "FAKE_URL": provider.base_url,
        "FAKE_KEY": "k-test",
        **(environ or {}),
    }
    try:
        async with Stack(home, plan, environ=environment, report=report) as stack:
            settings = Settings.from_env(stack.env("gateway"))
            pool = await asyncpg.create_pool(settings.dsn(), min_size=1, max_size=4)
            broker = await connect(settings)
            try:
                yield Pipeline(stack, provider, pool, broker.connection, home)
            finally:
                await broker.stop()
                await pool.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def event_body(row: Mapping[str, Any]) -> dict[str, Any]:
    """The event in an archive row."""
    body: dict[str, Any] = orjson.loads(row["body"])["event"]
    return body
