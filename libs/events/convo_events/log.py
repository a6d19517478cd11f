"""The event log on JetStream: coalesced atomic batches in, an ordered read out.

No message ids are sent. Publishing the same event again is safe because the fold knows every id it has archived; so a
lost acknowledgement is answered by publishing again, and the server keeps no table of ids.
"""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

import nats.errors
import nats.js.errors
import orjson
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from convo_events.coalesce import Coalescer
from convo_events.codec import Event, decode, encode
from convo_events.envelope import Envelope
from convo_events.errors import Unavailable
from convo_events.subjects import LOG_STREAM, LOG_SUBJECTS, subject_of

log = logging.getLogger(__name__)

MOST_IN_BATCH = 500
MOST_BYTES_IN_BATCH = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Letter:
    """One event on its way into the log."""

    subject: str
    body: bytes


def letter(envelope: Envelope, event: Event) -> Letter:
    """The event as it is published."""
    return Letter(subject_of(event), encode(envelope, event))


def stored_letter(body: str) -> Letter:
    """An event that was stored before it was published, byte for byte.

    Raises:
        Undecodable: when the text is no event.
    """
    raw = body.encode()
    return Letter(subject_of(decode(raw)[1]), raw)


class LogPublisher:
    """Appends events. Concurrent appends of one process share a batch."""

    def __init__(self, client: Client, *, patience_s: float = 60) -> None:
        """Take a connected client; an append is tried again for ``patience_s`` before it gives up."""
        self._client = client
        self._patience_s = patience_s
        self._groups: Coalescer[tuple[Letter, ...], int] = Coalescer(
            self._flush, most=200, linger_s=0.004
        )

    async def append(self, letters: Sequence[Letter]) -> int:
        """Sequence of the last of these events, once the server has synced all of them. All or nothing.

        Raises:
            Unavailable: when the server did not take them in time. They may or may not be in the log; append again.
        """
        return await self._groups.ask(tuple(letters)) if letters else 0

    async def _flush(self, groups: Sequence[tuple[Letter, ...]]) -> list[int]:
        sequences: list[int] = []
        for batch, sizes in _cut(groups):
            last = await self._publish_patiently(batch)
            first = last - len(batch)
            for size in sizes:
                first += size
                sequences.append(first)
        return sequences

    async def _publish_patiently(self, batch: list[Letter]) -> int:
        deadline = asyncio.get_running_loop().time() + self._patience_s
        wait_s = 0.1
        while True:
            try:
                return await self._publish(batch)
            except (nats.errors.Error, nats.js.errors.Error, OSError, TimeoutError) as error:
                if asyncio.get_running_loop().time() > deadline:
                    raise Unavailable(
                        f"NATS did not take {len(batch)} events: {error}", part="nats"
                    ) from error
                log.warning(
                    "append failed, trying again", extra={"action": "append", "error": repr(error)}
                )
                await asyncio.sleep(wait_s)
                wait_s = min(2.0, wait_s * 2)

    async def _publish(self, batch: list[Letter]) -> int:
        """One atomic batch (NATS ADR-50): the first and the last message are requests, the others need no answer."""
        if len(batch) == 1:
            reply = await self._client.request(batch[0].subject, batch[0].body, timeout=10)
            return _sequence(reply)
        batch_id = uuid.uuid4().hex
        for number, item in enumerate(batch, start=1):
            headers = {"Nats-Batch-Id": batch_id, "Nats-Batch-Sequence": str(number)}
            if number == len(batch):
                headers["Nats-Batch-Commit"] = "1"
                reply = await self._client.request(
                    item.subject, item.body, timeout=20, headers=headers
                )
                return _sequence(reply)
            if number == 1:
                first = await self._client.request(
                    item.subject, item.body, timeout=10, headers=headers
                )
                if first.data:
                    _sequence(first)
            else:
                await self._client.publish(item.subject, item.body, headers=headers)
        raise AssertionError("a batch has a last message")


def _cut(groups: Sequence[tuple[Letter, ...]]) -> list[tuple[list[Letter], list[int]]]:
    """Batches within the limits; a group is never cut, and its size stays beside it."""
    batches: list[tuple[list[Letter], list[int]]] = []
    held = 0
    for group in groups:
        weight = sum(len(item.body) for item in group)
        full = batches and (
            len(batches[-1][0]) + len(group) > MOST_IN_BATCH or held + weight > MOST_BYTES_IN_BATCH
        )
        if not batches or full:
            batches.append(([], []))
            held = 0
        batches[-1][0].extend(group)
        batches[-1][1].append(len(group))
        held += weight
    return batches


def _sequence(reply: Msg) -> int:
    """The sequence in a publish acknowledgement.

    Raises:
        nats.js.errors.APIError: when the server refused, such as a full log.
    """
    answer = orjson.loads(reply.data)
    if "error" in answer:
        raise nats.js.errors.APIError.from_error(answer["error"])
    return int(answer["seq"])


async def read_ordered(
    client: Client, after: int, *, batch: int = 500, idle_s: float = 1.0
) -> AsyncGenerator[list[Msg], None]:
    """The log in order from sequence ``after`` + 1, in batches; an empty batch where nothing came for ``idle_s``.

    An ephemeral consumer without acknowledgements is made anew whenever a gap shows, so nothing is skipped and nothing
    is redelivered out of order.
    """
    js = client.jetstream(timeout=10)
    position = after
    while True:
        try:
            subscription = await js.pull_subscribe(
                LOG_SUBJECTS,
                stream=LOG_STREAM,
                config=ConsumerConfig(
                    ack_policy=AckPolicy.NONE,
                    deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                    opt_start_seq=position + 1,
                    inactive_threshold=30.0,
                ),
            )
        except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
            log.warning("log reader waits for NATS", extra={"action": "read", "error": repr(error)})
            await asyncio.sleep(0.5)
            yield []
            continue
        try:
            while True:
                try:
                    messages = await subscription.fetch(batch, timeout=idle_s)
                except (nats.errors.TimeoutError, TimeoutError):
                    yield []
                    if client.is_connected and await _is_gone(subscription):
                        break
                    continue
                except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
                    log.warning(
                        "log reader starts again", extra={"action": "read", "error": repr(error)}
                    )
                    yield []
                    break
                contiguous = _contiguous(messages, position)
                if contiguous:
                    position = contiguous[-1].metadata.sequence.stream
                    yield contiguous
                if len(contiguous) < len(messages):
                    break
        finally:
            await _close(subscription)


def _contiguous(messages: list[Msg], position: int) -> list[Msg]:
    """The messages up to the first gap; what the log itself has lost, such as its head by age, is passed over.

    A consumer begins with the first message that there is from its start on. So a gap before that one is in the log;
    before any other it is on the way, and a new consumer reads it again.
    """
    taken: list[Msg] = []
    for message in messages:
        sequence = message.metadata.sequence.stream
        if sequence != position + 1:
            found = {"action": "read", "after": position, "got": sequence}
            if message.metadata.sequence.consumer != 1:
                log.warning("gap in what was read of the log", extra=found)
                break
            log.error("the log has lost events", extra=found)
        taken.append(message)
        position = sequence
    return taken


async def _is_gone(subscription: "nats.js.JetStreamContext.PullSubscription") -> bool:
    """Whether the server forgot the consumer, as it does over a restart."""
    try:
        await subscription.consumer_info()
    except nats.js.errors.NotFoundError:
        return True
    except (nats.errors.Error, nats.js.errors.Error, OSError):
        return False
    return False


async def _close(subscription: "nats.js.JetStreamContext.PullSubscription") -> None:
    try:
        await subscription.unsubscribe()
    except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
        log.debug("consumer not closed", extra={"action": "read", "error": repr(error)})


@dataclass(frozen=True, slots=True)
class LogState:
    """The log as the server has it."""

    created: str
    """When it was made: its identity."""
    last: int
    """Sequence of its newest event; 0 when it is empty."""


async def log_state(client: Client) -> LogState:
    """Which log there is, and how far it reaches.

    Raises:
        Unavailable: when NATS does not answer, or has no log for now.
    """
    js = client.jetstream(timeout=10)
    try:
        # Raw, because the typed answer of the client leaves the creation time out.
        found = await js._api_request(f"$JS.API.STREAM.INFO.{LOG_STREAM}", b"", timeout=10)
    except (nats.errors.Error, nats.js.errors.Error, OSError) as error:
        raise Unavailable(f"NATS does not answer: {error}", part="nats") from error
    return LogState(str(found["created"]), int(found["state"]["last_seq"]))
