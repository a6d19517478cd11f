"""A real gateway for the command line's tests, with a scheduler and a projector that the test plays."""

import asyncio
import json
import threading
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from queue import Queue
from typing import Self, TypeVar

import asyncpg
import orjson
import uvicorn
from faststream.nats import NatsBroker
from nats.aio.msg import Msg
from nats.js.errors import NotFoundError
from pydantic import TypeAdapter

from convo_events import subjects
from convo_events.bus import connect
from convo_events.commands import CapRun, Command, Reply, StartRun
from convo_events.migrate import migrate
from convo_events.settings import Settings
from convo_gateway.gateway_settings import GatewaySettings
from convo_gateway.server import server_for
from convo_gateway.stack.infrastructure import Infrastructure
from convo_gateway.stack.ports import Ports
from tests.listing import list_new

T = TypeVar("T")
_COMMAND: TypeAdapter[Command] = TypeAdapter(Command)
_AFTER = {
    "start": "running",
    "pause": "paused",
    "resume": "running",
    "kick": "running",
    "cancel": "cancelled",
}
_FINAL = ("completed", "cancelled", "failed")


class World:
    """The gateway on a database of its own. Its loop runs in a thread, so that commands can run in the test's."""

    def __init__(self, infrastructure: Infrastructure) -> None:
        database = infrastructure.create_database()
        self._env = {
            name: infrastructure.env(name, database_url=database)
            for name in ("migrator", "gateway", "scheduler", "projector")
        }
        self._database = database
        self._port = Ports({}).port("gateway")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self._seq = 0
        self.commands: list[Command] = []
        self.planned: Queue[str] = Queue()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self.run(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(300)

    def start_gateway(self) -> None:
        self.run(self._start_gateway())

    def stop_gateway(self) -> None:
        self.run(self._stop_gateway())

    def set(self, run: str, **values: object) -> None:
        """Change what the read model says of a run, and tick."""
        self.run(self._set(run, values))

    def conversation(self, run: str, number: int, **values: object) -> str:
        """Write a conversation with two turns; its id."""
        return self.run(self._conversation(run, number, values))

    def list(self, run: str) -> None:
        """Put the conversations of a run into the corpus."""
        self.run(list_new(self._database, run))

    def status(self, run: str) -> str:
        return str(self.run(self._value("select status from run_view where run = $1", run)))

    async def _open(self) -> None:
        await migrate(Settings.from_env(self._env["migrator"]))
        self._rows = await asyncpg.connect(self._database)
        self._scheduler = await connect(Settings.from_env(self._env["scheduler"]))
        self._projector = await connect(Settings.from_env(self._env["projector"]))
        await self._scheduler.connection.subscribe(subjects.COMMAND, cb=self._on_command)
        await self._scheduler.connection.flush()
        await self._start_gateway()

    async def _close(self) -> None:
        await self._stop_gateway()
        await self._scheduler.stop()
        await self._projector.stop()
        await self._rows.close()
        migrator: NatsBroker = await connect(Settings.from_env(self._env["migrator"]))
        for stream in (subjects.LOG_STREAM, subjects.DEAD_STREAM):
            with suppress(NotFoundError):
                await migrator.connection.jetstream().delete_stream(stream)
        await migrator.stop()

    async def _start_gateway(self) -> None:
        env = {**self._env["gateway"], "CONVO_GATEWAY_PORT": str(self._port)}
        self._server = server_for(GatewaySettings.from_env(env))
        self._serving = asyncio.create_task(self._server.serve())
        async with asyncio.timeout(120):
            while not (self._server.started and not self._missing()):
                await asyncio.sleep(0.01)

    def _missing(self) -> Mapping[str, str]:
        assert self._server is not None
        app = self._server.config.app
        return app.state.gateway.connections.missing  # type: ignore[union-attr,no-any-return]  # a FastAPI application

    async def _stop_gateway(self) -> None:
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await self._serving
            self._server = None

    async def _on_command(self, message: Msg) -> None:
        command = _COMMAND.validate_json(message.data)
        if isinstance(command, StartRun):
            await self._plan(command)
            self.planned.put(command.run)
            reply = Reply(run=command.run, status="running", epoch=1, seq=self._seq)
        elif isinstance(command, CapRun):
            await self._set(command.run, {"spend_cap_micro": command.spend_cap_micro})
            reply = Reply(run=command.run, status="paused", epoch=2, seq=self._seq)
        else:
            reply = await self._control(command.run, command.action)
        self.commands.append(command)
        await message.respond(reply.model_dump_json().encode())

    async def _control(self, run: str, action: str) -> Reply:
        status = await self._value("select status from run_view where run = $1", run)
        if status is None:
            return Reply(run=run, code="not_found", message=f"there is no run {run}")
        if status in _FINAL:
            message = f"run {run} is {status}; that is final"
            return Reply.model_validate(
                {"run": run, "status": status, "code": "conflict", "message": message}
            )
        await self._set(run, {"status": _AFTER[action]})
        threads = 3 if action == "kick" else None
        return Reply.model_validate(
            {"run": run, "status": _AFTER[action], "seq": self._seq, "threads": threads}
        )

    async def _plan(self, start: StartRun) -> None:
        self._seq += 1
        row = {
            **start.model_dump(
                include={
                    "run",
                    "name",
                    "config",
                    "config_version",
                    "mode",
                    "snapshot",
                    "target",
                    "seed",
                    "lanes",
                    "estimate_micro",
                    "expected_accepted",
                    "spend_cap_micro",
                }
            ),
            **{"kind": start.kind, "status": "running", "reason": "", "detail": "", "epoch": 1},
            **{"blocked_reason": "", "blocked_detail": "", "opened": 0, "closed": 0},
            **dict.fromkeys(("generated", "accepted", "rejected", "failed", "cancelled"), 0),
            "seq": self._seq,
        }
        names = ", ".join(row)
        places = ", ".join(f"${at}" for at in range(1, len(row) + 1))
        await self._rows.execute(
            f"insert into run_view ({names}, planned_at, started_at) values ({places}, now(), now())"
            " on conflict (run) do nothing",
            *row.values(),
        )
        await self._fold()
        if start.kind == "sample":
            await self._conversation(start.run, 0, {"id": f"{start.run}.0.0"})
            await self._set(start.run, {"status": "completed", "accepted": 1})

    async def _set(self, run: str, values: Mapping[str, object]) -> None:
        self._seq += 1
        changed = ", ".join(f"{name} = ${at}" for at, name in enumerate(values, start=3))
        ended = ", ended_at = now()" if values.get("status") in _FINAL else ""
        await self._rows.execute(
            f"update run_view set seq = $2, {changed}{ended} where run = $1",
            run,
            self._seq,
            *values.values(),
        )
        await self._fold()
        await self._projector.connection.publish(subjects.TICK, orjson.dumps({"runs": [run]}))

    async def _fold(self) -> None:
        await self._rows.execute(
            "insert into fold_cursor values ('log', '', $1) on conflict (name) do update set seq = $1",
            self._seq,
        )

    async def _conversation(self, run: str, number: int, values: Mapping[str, object]) -> str:
        self._seq += 1
        conversation = str(values.get("id", f"{run}-{number}"))
        row = {
            **{"id": conversation, "run": run, "thread": 0, "number": number, "status": "accepted"},
            **{"reason": "", "layer": None, "hit": None, "also": "[]", "detail": "", "score": 4.0},
            **{"criteria": json.dumps([{"name": "helpful", "score": 4.0, "why": "it helps"}])},
            **{"persona": "ada", "voice": "plain", "planned_turns": 2, "turns": 2, "words": 4},
            **{"preview": "How?", "cost_micro": 12, "unknown_calls": 0},
            **{"seq": self._seq, "settled_seq": self._seq},
            **values,
        }
        names = ", ".join(row)
        places = ", ".join(f"${at}" for at in range(1, len(row) + 1))
        await self._rows.execute(
            f"insert into conversation ({names}, created_at, settled_at) values ({places}, now(), now())",
            *row.values(),
        )
        for at, (role, text) in enumerate((("user", "How?"), ("assistant", "Like \x1b[31mthis"))):
            await self._rows.execute(
                "insert into turn (conversation, number, role, body, finish) values ($1, $2, $3, $4, 'stop')",
                conversation,
                at,
                role,
                text,
            )
        if row["reason"]:
            await self._rows.execute(
                "insert into reject_count values ($1, $2, $3, 10, 1)"
                " on conflict (run, reason) do update set n = reject_count.n + 1",
                run,
                row["reason"],
                row["layer"],
            )
        return conversation

    async def _value(self, question: str, *arguments: object) -> object:
        return await self._rows.fetchval(question, *arguments)
