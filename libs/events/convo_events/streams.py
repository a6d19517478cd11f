"""The streams and durable consumers as they must be, made by the migrator and checked by everyone at start."""

from typing import Any

import aiohttp
import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StoreCompression,
    StreamConfig,
)
from nats.js.errors import NotFoundError

from convo_events.errors import Misconfigured, Unavailable
from convo_events.subjects import (
    DEAD_STREAM,
    DEAD_SUBJECTS,
    LOG_STREAM,
    LOG_SUBJECTS,
    ROOMS,
    stage_subjects,
)

MAX_LOG_BYTES = 64 * 1024**3
"""When the log is full, publishers are refused: nothing unread is ever dropped."""
MONITOR_S = 10.0
"""How long the monitoring of the server may take to answer."""


def log_config() -> StreamConfig:
    """The event log: on disk, nothing deleted or purged, full means refused, batches are atomic."""
    return StreamConfig(
        name=LOG_STREAM,
        subjects=[LOG_SUBJECTS],
        storage=StorageType.FILE,
        retention=RetentionPolicy.LIMITS,
        discard=DiscardPolicy.NEW,
        max_bytes=MAX_LOG_BYTES,
        compression=StoreCompression.S2,
        deny_delete=True,
        deny_purge=True,
        allow_direct=True,
        allow_atomic=True,
    )


def dead_config() -> StreamConfig:
    """Messages that no worker can handle, with the reason in a header."""
    return StreamConfig(
        name=DEAD_STREAM,
        subjects=[DEAD_SUBJECTS],
        storage=StorageType.FILE,
        max_age=30 * 86_400,
        max_bytes=1024**3,
    )


def stage_config(stage: str, ack_wait_s: float) -> ConsumerConfig:
    """The shared queue of one stage; deliveries are counted by the workers, which dead-letter after five."""
    return ConsumerConfig(
        durable_name=stage,
        filter_subject=stage_subjects(stage),
        ack_policy=AckPolicy.EXPLICIT,
        deliver_policy=DeliverPolicy.ALL,
        ack_wait=ack_wait_s,
        max_ack_pending=20_000,
        max_deliver=-1,
        max_waiting=2_048,
    )


async def create_streams(client: Client, *, ack_wait_s: float = 30) -> None:
    """Make or update streams and consumers; needs the migrator's login."""
    js = client.jetstream(timeout=30)
    for config in (log_config(), dead_config()):
        try:
            await js.stream_info(str(config.name))
            await js.update_stream(config)
        except NotFoundError:
            await js.add_stream(config)
    for stage in ROOMS:
        await js.add_consumer(LOG_STREAM, stage_config(stage, ack_wait_s))


async def check_log(client: Client, monitor_url: str) -> str:
    """When the log was created, as the server says it: a log with another time is another log.

    Raises:
        Misconfigured: when the server or the stream could lose an event that it acknowledged.
        Unavailable: when the server does not answer now, such as one that has just started.
    """
    js = client.jetstream(timeout=10)
    try:
        # Raw, because the typed answer of the client leaves the creation time out.
        answer = await js._api_request(f"$JS.API.STREAM.INFO.{LOG_STREAM}", b"", timeout=10)
    except NotFoundError:
        raise Misconfigured(
            f"stream {LOG_STREAM} is missing: run python -m convo_events.migrate"
        ) from None
    except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
        raise Unavailable(f"NATS does not answer: {error!r}", part="nats") from None
    wrong = stream_problems(answer["config"])
    if monitor_url:
        wrong += server_problems(await _varz(monitor_url))
    if wrong:
        raise Misconfigured("the event log is not safe: " + "; ".join(wrong))
    return str(answer["created"])


def stream_problems(config: dict[str, Any]) -> list[str]:
    """What is wrong with the configuration of the log stream, for people."""
    wanted = {"storage": "file", "retention": "limits", "discard": "new"}
    wrong = [
        f"{k} is {config.get(k)!r}, not {v!r}" for k, v in wanted.items() if config.get(k) != v
    ]
    flags = ("deny_delete", "deny_purge", "allow_atomic")
    return wrong + [f"{flag} is off" for flag in flags if not config.get(flag)]


def server_problems(varz: dict[str, Any]) -> list[str]:
    """What is wrong with the server's settings, for people."""
    jetstream = varz.get("jetstream", {}).get("config") or {}
    if not jetstream:
        return ["JetStream is off"]
    if not jetstream.get("sync_always"):
        return ["the server does not sync every write: set jetstream { sync_interval: always }"]
    return []


async def _varz(monitor_url: str) -> dict[str, Any]:
    try:
        timeout = aiohttp.ClientTimeout(total=MONITOR_S)
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(f"{monitor_url}/varz") as reply,
        ):
            varz: dict[str, Any] = await reply.json()
            return varz
    except TimeoutError:
        message = f"NATS monitoring at {monitor_url} does not answer in {MONITOR_S:.3g} s"
        raise Unavailable(message, part="nats") from None
    except aiohttp.ClientError as error:
        raise Misconfigured(f"NATS monitoring at {monitor_url} does not answer: {error}") from None
