"""Streams as they must be; a server or a stream that could lose an event is refused."""

import socket
from typing import Any

import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StreamConfig

from convo_events import streams
from convo_events.bus import connect
from convo_events.errors import Misconfigured, Unavailable
from convo_events.settings import Settings
from convo_events.streams import (
    check_log,
    create_streams,
    log_config,
    server_problems,
    stage_config,
    stream_problems,
)
from convo_events.subjects import DEAD_STREAM, LOG_STREAM, ROOMS, stage_subjects

SAFE: dict[str, Any] = {
    "storage": "file",
    "retention": "limits",
    "discard": "new",
    "deny_delete": True,
    "deny_purge": True,
    "allow_atomic": True,
}
SYNCED = {"jetstream": {"config": {"sync_always": True}}}


def test_a_safe_log_has_no_problems() -> None:
    assert stream_problems(SAFE) == []
    assert server_problems(SYNCED) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"storage": "memory"}, "storage is 'memory', not 'file'"),
        ({"retention": "workqueue"}, "retention is 'workqueue', not 'limits'"),
        ({"discard": "old"}, "discard is 'old', not 'new'"),
        ({"deny_delete": False}, "deny_delete is off"),
        ({"deny_purge": False}, "deny_purge is off"),
        ({"allow_atomic": False}, "allow_atomic is off"),
    ],
)
def test_each_unsafe_setting_is_named(change: dict[str, Any], said: str) -> None:
    assert stream_problems(SAFE | change) == [said]
    without = {key: value for key, value in SAFE.items() if key not in change}
    assert len(stream_problems(without)) == 1


def test_all_problems_are_said_at_once() -> None:
    assert len(stream_problems({})) == 6


@pytest.mark.parametrize(
    ("varz", "said"),
    [
        ({}, "JetStream is off"),
        ({"jetstream": {}}, "JetStream is off"),
        ({"jetstream": {"config": None}}, "JetStream is off"),
        ({"jetstream": {"config": {"sync_interval": 120}}}, "does not sync every write"),
        ({"jetstream": {"config": {"sync_always": False}}}, "does not sync every write"),
    ],
)
def test_a_server_that_could_lose_writes_is_named(varz: dict[str, Any], said: str) -> None:
    (problem,) = server_problems(varz)
    assert said in problem


def test_a_stage_hears_its_own_steps_and_gives_nothing_up_by_itself() -> None:
    config = stage_config("gen", 12)
    assert (config.durable_name, config.filter_subject) == ("gen", stage_subjects("gen"))
    assert (config.ack_wait, config.max_deliver) == (12, -1)


@pytest.mark.anyio
@pytest.mark.connected
class TestOnAServer:
    async def test_what_is_made_is_safe_and_made_again_the_same(
        self, client: Client, js: JetStreamContext, settings: Settings
    ) -> None:
        created = await check_log(client, settings.nats_monitor_url)
        await create_streams(client)

        assert await check_log(client, settings.nats_monitor_url) == created
        consumers = {info.name for info in await js.consumers_info(LOG_STREAM)}
        assert consumers >= set(ROOMS)
        assert (await js.stream_info(DEAD_STREAM)).config.subjects == ["convo.dead.>"]

    @pytest.mark.parametrize(
        ("config", "said"),
        [
            (log_config().evolve(discard=DiscardPolicy.OLD), "discard is 'old'"),
            (log_config().evolve(allow_atomic=False), "allow_atomic is off"),
        ],
    )
    async def test_an_unsafe_stream_is_refused(
        self,
        client: Client,
        js: JetStreamContext,
        settings: Settings,
        config: StreamConfig,
        said: str,
    ) -> None:
        await js.update_stream(config)
        try:
            with pytest.raises(Misconfigured, match=said):
                await check_log(client, settings.nats_monitor_url)
        finally:
            await create_streams(client)

    async def test_a_missing_log_says_what_to_do(
        self, client: Client, js: JetStreamContext, settings: Settings
    ) -> None:
        await js.delete_stream(LOG_STREAM)
        try:
            with pytest.raises(Misconfigured, match=r"convo_events\.migrate"):
                await check_log(client, settings.nats_monitor_url)
        finally:
            await create_streams(client)

    async def test_a_server_that_does_not_answer_now_is_waited_for(
        self, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            monkeypatch.setattr(streams, "MONITOR_S", 0.1)
            with pytest.raises(Unavailable, match=r"does not answer in 0\.1 s"):
                await check_log(client, f"http://127.0.0.1:{silent.getsockname()[1]}")
        broker = await connect(settings)
        left = broker.connection
        await broker.stop()
        with pytest.raises(Unavailable, match="NATS does not answer"):
            await check_log(left, settings.nats_monitor_url)

    async def test_a_server_that_cannot_be_looked_at_is_refused(self, client: Client) -> None:
        with pytest.raises(
            Misconfigured, match=r"monitoring at http://127\.0\.0\.1:1 does not answer"
        ):
            await check_log(client, "http://127.0.0.1:1")
