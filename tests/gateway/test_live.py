"""The websocket over a real socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import orjson
import pytest
from nats.aio.client import Client

from convo_events.subjects import TICK
from convo_gateway.live.topic import merged
from convo_gateway.shapes.runs import RunSummary
from convo_gateway.stack.infrastructure import Infrastructure
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import API, PATIENCE_S, Served, new_database, serving

pytestmark = pytest.mark.anyio


class Follower:
    """A client as a web page is: it keeps the state, and checks every sequence."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.epoch = ""
        self.seq = 0
        self.state: dict[str, Any] = {}
        self.deltas = 0

    async def say(self, **message: Any) -> None:
        await self.socket.send_json(message)

    async def hear(self) -> dict[str, Any]:
        """The next message, taken into the state."""
        async with asyncio.timeout(PATIENCE_S):
            message: dict[str, Any] = await self.socket.receive_json()
        match message["op"]:
            case "snapshot":
                self.epoch, self.seq, self.state = (
                    message["epoch"],
                    message["seq"],
                    message["state"],
                )
            case "replayed":
                for delta in message["deltas"]:
                    self._take(delta)
            case "delta":
                self._take(message)
        return message

    def _take(self, delta: dict[str, Any]) -> None:
        assert delta["seq"] == self.seq + 1, "no gaps, no repeats"
        assert len(orjson.dumps(delta["patch"])) < 2_000
        self.seq, self.state = delta["seq"], merged(self.state, delta["patch"])
        self.deltas += 1

    async def until(self, **wanted: Any) -> None:
        while any(self.state.get(name) != value for name, value in wanted.items()):
            await self.hear()


@asynccontextmanager
async def follow(
    served: Served, topic: str, epoch: str | None = None, after: int = 0
) -> AsyncIterator[Follower]:
    async with served.session.ws_connect(served.url + API + "/live") as socket:
        follower = Follower(socket)
        follower.seq = after
        await follower.say(op="subscribe", topic=topic, epoch=epoch, after=after)
        yield follower


async def tick(projector: Client, *runs: str) -> None:
    await projector.publish(TICK, orjson.dumps({"seq": 1, "runs": runs}))
    await projector.flush()


async def test_counters_come_as_absolute_values_and_end_as_rest_says(
    served: Served, read_model: ReadModel, projector: Client
) -> None:
    run = await read_model.run("run-live", target=50)
    async with follow(served, f"run:{run}") as follower:
        first = await follower.hear()
        assert (first["op"], first["state"]["accepted"]) == ("snapshot", 0)
        for accepted in (5, 20, 44):
            await read_model.set_run(run, accepted=accepted)
            await tick(projector, run)
            await follower.until(accepted=accepted)
        await read_model.reason(run, "empty_turn", 1, 10, 6)
        await read_model.conversation(run, 1, status="rejected", reason="empty_turn", layer=1)
        await read_model.set_run(run, rejected=6, status="completed")
        await tick(projector, run)
        await follower.until(status="completed", rejected=6)
        page = (await served.get(f"/runs/{run}")).json
        for name in ("accepted", "rejected", "failed", "generated", "status", "open"):
            assert follower.state[name] == page[name]
        RunSummary.model_validate(follower.state)
        assert follower.state["reasons"]["empty_turn"]["count"] == 6
        assert follower.state["last_rejects"][0]["id"] == f"{run}.1.0"


async def test_k06_a_dropped_line_changes_nothing_and_resumes_without_gaps(
    served: Served, read_model: ReadModel, projector: Client
) -> None:
    run = await read_model.run("run-k06", target=50)
    async with (
        follow(served, f"run:{run}") as stayed,
        follow(served, f"run:{run}") as first,
    ):
        await stayed.hear()
        await first.hear()
        await read_model.set_run(run, accepted=1)
        await tick(projector, run)
        await first.until(accepted=1)
        await first.socket.close()
        for accepted in (2, 3):
            await read_model.set_run(run, accepted=accepted)
            await tick(projector, run)
            await stayed.until(accepted=accepted)
        async with follow(served, f"run:{run}", first.epoch, first.seq) as back:
            back.state = first.state
            answer = await back.hear()
            assert answer["op"] == "replayed"
            assert len(answer["deltas"]) >= 2
            # What is read again by itself may have told both of one more change, and not at the same moment.
            while back.seq != stayed.seq:
                await min(back, stayed, key=lambda follower: follower.seq).hear()
            assert back.state == stayed.state
            assert back.state["accepted"] == 3


async def test_a_restarted_gateway_answers_with_a_snapshot(
    served: Served, infrastructure: Infrastructure, read_model: ReadModel
) -> None:
    run = await read_model.run("run-restart", accepted=4)
    env = infrastructure.env("gateway", database_url=read_model.url)
    async with serving(env, read_model.url) as other:
        await other.until_ready()
        async with follow(other, f"run:{run}") as follower:
            await follower.hear()
            epoch, seq = follower.epoch, follower.seq
    async with follow(served, f"run:{run}", epoch, seq) as follower:
        answer = await follower.hear()
        assert answer["op"] == "snapshot"
        assert answer["epoch"] != epoch


async def test_counters_never_go_backwards(
    served: Served, read_model: ReadModel, projector: Client
) -> None:
    run = await read_model.run("run-back", accepted=8, target=20)
    async with follow(served, f"run:{run}") as follower:
        await follower.hear()
        await read_model.set_run(run, accepted=2, rejected=9)
        await tick(projector, run)
        await read_model.set_run(run, accepted=9, rejected=0, failed=1)
        await tick(projector, run)
        seen = []
        while follower.state.get("failed") != 1:
            await follower.hear()
            seen.append(follower.state["accepted"])
        assert min(seen) >= 8


async def test_the_list_of_runs_shows_new_and_changed_runs(
    infrastructure: Infrastructure, served: Served, projector: Client
) -> None:
    database = await new_database(infrastructure)
    async with serving(infrastructure.env("gateway", database_url=database), database) as own:
        await own.until_ready()
        await own.read_model.run("run-l1")
        async with follow(own, "runs") as follower:
            assert set((await follower.hear())["state"]["runs"]) == {"run-l1"}
            await own.read_model.run("run-l2", accepted=3)
            await tick(projector, "run-l2")
            while "run-l2" not in follower.state["runs"]:
                await follower.hear()
            assert follower.state["runs"]["run-l2"]["accepted"] == 3


async def test_a_topic_that_is_not_there_is_gone(served: Served) -> None:
    async with follow(served, "run:run-nowhere") as follower:
        assert await follower.hear() == {"op": "gone", "topic": "run:run-nowhere"}


@pytest.mark.parametrize(
    "text", ["{", "{}", '{"op":"subscribe","topic":"x"}', '{"op":"subscribe","topic":"runs","z":1}']
)
async def test_messages_that_make_no_sense_close_the_line(served: Served, text: str) -> None:
    async with served.session.ws_connect(served.url + API + "/live") as socket:
        await socket.send_str(text)
        message = await socket.receive(timeout=PATIENCE_S)
        assert (message.type, message.data) == (aiohttp.WSMsgType.CLOSE, 4400)


async def test_too_long_a_message_and_another_protocol_close_the_line(served: Served) -> None:
    async with served.session.ws_connect(served.url + API + "/live") as socket:
        await socket.send_str("x" * 20_000)
        assert (await socket.receive(timeout=PATIENCE_S)).data == 1009
    async with served.session.ws_connect(served.url + API + "/live?v=9") as socket:
        assert (await socket.receive(timeout=PATIENCE_S)).data == 4409
