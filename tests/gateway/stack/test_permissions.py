"""What each service may and may not do on NATS, tried on a real server."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path

import pytest
from nats.aio.client import Client

from convo_events.streams import create_streams
from convo_gateway.stack.infrastructure import Infrastructure
from convo_gateway.stack.permissions import USERS, authorization

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60.0
"""How long a test waits for what has to come: far longer than it takes on a slow machine that stalls."""


class Login:
    """A connected user, and what the server refused."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self.client = Client()

    async def on_error(self, error: Exception) -> None:
        self.refused.append(str(error))

    async def ask(self, subject: str, body: bytes = b"", **headers: str) -> dict[str, object]:
        reply = await self.client.request(
            subject, body, timeout=PATIENCE_S, headers=headers or None
        )
        found: dict[str, object] = json.loads(reply.data)
        return found

    async def is_refused(self, subject: str) -> bool:
        """Whether publishing there is refused; nothing else is being refused at the time."""
        self.refused.clear()
        await self.client.publish(subject, b"{}")
        return await self._was_refused(subject)

    async def may_not_hear(self, subject: str) -> bool:
        self.refused.clear()
        await self.client.subscribe(subject)
        return await self._was_refused(subject)

    async def _was_refused(self, subject: str) -> bool:
        """The refusal comes soon after the answer to a ping; its absence costs the whole time."""
        await self.client.flush()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while not any(f'"{subject}"'.lower() in one.lower() for one in self.refused):
                    await asyncio.sleep(0.005)
                return True
        return False


@asynccontextmanager
async def login(infrastructure: Infrastructure, user: str) -> AsyncIterator[Login]:
    one = Login()
    await one.client.connect(
        infrastructure.nats_url,
        user=user,
        password=infrastructure.nats_password(user),
        inbox_prefix=f"_INBOX_{user}".encode(),
        error_cb=one.on_error,
    )
    try:
        yield one
    finally:
        await one.client.close()


@pytest.fixture
async def log(infrastructure: Infrastructure) -> Infrastructure:
    async with login(infrastructure, "migrator") as migrator:
        await create_streams(migrator.client)
    return infrastructure


def test_the_package_and_deploy_have_the_same_configuration() -> None:
    shipped = resources.files("convo_gateway.stack").joinpath("nats.conf").read_text()
    assert (ROOT / "deploy/nats/nats.conf").read_text() == shipped


def test_a_password_cannot_break_out_of_its_quotes() -> None:
    text = authorization(dict.fromkeys(USERS, 'x" } ] } #'))
    assert '"x\\" } ] } #"' in text


async def test_the_scheduler_hands_out_steps_and_a_worker_pulls_them(log: Infrastructure) -> None:
    async with login(log, "scheduler") as scheduler, login(log, "generator") as generator:
        stored = await scheduler.ask("convo.ev.gen.r1.0", b"step")
        assert stored["stream"] == "CONVO_LOG"
        js = generator.client.jetstream()
        pull = await js.pull_subscribe_bind("gen", "CONVO_LOG")
        (message,) = await pull.fetch(1, timeout=PATIENCE_S)
        await message.in_progress()
        await message.ack_sync()
        assert (await generator.ask("convo.ev.out.r1.0", b"outcome"))["stream"] == "CONVO_LOG"
        assert (await generator.ask("convo.ev.call.r1.0", b"call"))["stream"] == "CONVO_LOG"
        assert (await generator.ask("convo.dead.generator", b"?"))["stream"] == "CONVO_DEAD"
        assert (await pull.consumer_info()).name == "gen"
        last = await js.get_last_msg("CONVO_LOG", "convo.ev.out.r1.0", direct=True)
        assert last.data == b"outcome"


async def test_a_batch_is_stored_whole(log: Infrastructure) -> None:
    async with login(log, "judge") as judge:
        batch = {"Nats-Batch-Id": "b1"}
        subject = "convo.ev.out.r2.0"
        headers = {**batch, "Nats-Batch-Sequence": "1"}
        await judge.client.request(subject, b"1", timeout=PATIENCE_S, headers=headers)
        ack = await judge.ask(subject, b"2", **batch, **{"Nats-Batch-Sequence": "2"},
                              **{"Nats-Batch-Commit": "1"})  # fmt: skip
        assert ack["count"] == 2


async def test_the_projector_reads_the_log_in_order(log: Infrastructure) -> None:
    async with login(log, "scheduler") as scheduler, login(log, "projector") as projector:
        stored = await scheduler.ask("convo.ev.sys.all.0", b"leader")
        reader = await projector.client.jetstream().subscribe(
            "convo.ev.sys.>", stream="CONVO_LOG", ordered_consumer=True
        )
        # Other tests may have left something in the log before it.
        while (
            read := await reader.next_msg(timeout=PATIENCE_S)
        ).metadata.sequence.stream != stored["seq"]:
            pass
        assert read.data == b"leader"
        ticks = await scheduler.client.subscribe("convo.tick")
        await scheduler.client.flush()
        await projector.client.publish("convo.tick", b"r1")
        assert (await ticks.next_msg(timeout=PATIENCE_S)).data == b"r1"
        assert projector.refused == []


async def test_the_gateway_asks_and_the_scheduler_answers(log: Infrastructure) -> None:
    async with login(log, "gateway") as gateway, login(log, "scheduler") as scheduler:
        commands = await scheduler.client.subscribe("convo.cmd.run")
        await scheduler.client.flush()
        question = asyncio.create_task(gateway.ask("convo.cmd.run", b"{}"))
        await (await commands.next_msg(timeout=PATIENCE_S)).respond(b'{"position": 1}')
        assert await question == {"position": 1}


FORBIDDEN = {
    "gateway": ("convo.ev.run.r.0", "convo.ev.out.r.0", "convo.tick", "convo.ctl.r"),
    "generator": ("convo.ev.gen.r.0", "convo.ev.run.r.0", "convo.cmd.run", "convo.dead.judge",
                  "$JS.ACK.CONVO_LOG.judge.1.1.1.1.1"),
    "filters": ("convo.ev.call.r.0", "$JS.API.CONSUMER.MSG.NEXT.CONVO_LOG.gen"),
    "judge": ("convo.ev.judge.r.0", "$JS.API.STREAM.MSG.GET.CONVO_LOG"),
    "scheduler": ("convo.ev.out.r.0", "convo.tick", "$JS.API.CONSUMER.CREATE.CONVO_LOG"),
    "projector": ("convo.ev.run.r.0", "convo.ev.gen.r.0", "convo.ctl.r"),
}  # fmt: skip
ADMIN = (
    "$JS.API.STREAM.CREATE.X",
    "$JS.API.STREAM.UPDATE.CONVO_LOG",
    "$JS.API.STREAM.DELETE.CONVO_LOG",
    "$JS.API.STREAM.PURGE.CONVO_LOG",
    "$JS.API.STREAM.MSG.DELETE.CONVO_LOG",
    "$JS.API.CONSUMER.DELETE.CONVO_LOG.gen",
    "$JS.API.CONSUMER.DURABLE.CREATE.CONVO_LOG.x",
)


@pytest.mark.parametrize("user", FORBIDDEN)
async def test_the_rest_is_refused(log: Infrastructure, user: str) -> None:
    async with login(log, user) as one:
        allowed = [s for s in (*FORBIDDEN[user], *ADMIN) if not await one.is_refused(s)]
        assert allowed == []
        others = next(name for name in USERS if name != user)
        assert await one.may_not_hear(f"_INBOX_{others}.>")
        assert await one.may_not_hear("convo.ev.>")
