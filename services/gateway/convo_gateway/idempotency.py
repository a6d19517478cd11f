"""Requests that carry an ``Idempotency-Key`` are done once, and answered the same way every time.

Source: IETF draft-ietf-httpapi-idempotency-key-header-07. Only successes are kept: after a refusal the key is free, and
after an outage it is free for the same request. Sole writer of table ``idempotency``.
"""

import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

import orjson
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from convo_events.errors import Invalid, Refused, Unavailable
from convo_events.store import Connection
from convo_gateway.connections import Connections
from convo_gateway.problems import HttpProblem

log = logging.getLogger(__name__)

KEPT = timedelta(hours=24)
ABANDONED = timedelta(seconds=60)
"""A request that has been under way for longer died with its gateway."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a request is answered with."""

    status: int
    body: bytes
    location: str

    def response(self, *, replayed: bool = False) -> Response:
        """The answer; a repeated one says so."""
        headers = {"Location": self.location, "Cache-Control": "no-store"}
        if replayed:
            headers["Idempotency-Replayed"] = "true"
        return Response(self.body, self.status, headers, media_type="application/json")


def request_hash(operation: str, body: BaseModel) -> str:
    """What makes two requests the same: the operation and the fields of the body."""
    fields = orjson.dumps(body.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(operation.encode() + b"\0" + fields).hexdigest()


async def once(
    connections: Connections, key: str | None, wanted: str, work: Callable[[], Awaitable[Done]]
) -> Response:
    """Do the work, or give the answer that it had before.

    Args:
        connections: the way to Postgres.
        key: the client's key; None for a client that has none.
        wanted: ``request_hash`` of the request.
        work: does it.

    Raises:
        HttpProblem: 422 where the key was used for another request, 409 while the first one is under way.
        Unavailable: while Postgres is away.
    """
    if key is None:
        return (await work()).response()
    async with connections.database() as c:
        before = await _begin(c, key, wanted)
    if before is not None:
        return before.response(replayed=True)
    try:
        done = await work()
    except BaseException as error:
        refused = isinstance(error, HTTPException | Refused | Invalid)
        await _free(connections, key, unknown=not refused)
        raise
    try:
        async with connections.database() as c:
            await _keep(c, key, done)
    except Unavailable:
        # It is done, and what it did is idempotent by itself; the key counts as abandoned in a minute.
        log.warning("answer not kept", extra={"action": "idempotency"})
    return done.response()


async def _begin(c: Connection, key: str, wanted: str) -> Done | None:
    """None where the work is ours to do; the old answer where it is done."""
    row = await c.fetchrow(
        """
        insert into idempotency as i (key, request_hash) values ($1, $2)
        on conflict (key) do update set status = null, created_at = now(), request_hash = excluded.request_hash
          where i.created_at < now() - $3::interval
             or (i.answer is null and i.request_hash = excluded.request_hash
                 and (i.status is not null or i.created_at < now() - $4::interval))
        returning key
        """,
        key,
        wanted,
        KEPT,
        ABANDONED,
    )
    if row is not None:
        return None
    row = await c.fetchrow(
        "select request_hash, status, answer from idempotency where key = $1", key
    )
    if row is not None and row["request_hash"] != wanted:
        detail = "This Idempotency-Key was used for another request; take a new one."
        raise HttpProblem(422, detail, code="idempotency-key-reused")
    if row is None or row["answer"] is None:
        detail = "The first request with this Idempotency-Key is still under way; ask again."
        raise HttpProblem(409, detail, code="idempotency-in-flight", headers={"Retry-After": "1"})
    kept = orjson.loads(row["answer"])
    return Done(row["status"], kept["body"].encode(), kept["location"])


async def _keep(c: Connection, key: str, done: Done) -> None:
    answer = orjson.dumps({"location": done.location, "body": done.body.decode()})
    await c.execute(
        "update idempotency set status = $2, answer = $3 where key = $1", key, done.status, answer
    )


async def _free(connections: Connections, key: str, *, unknown: bool) -> None:
    """Let the key be used again: for the same request where nobody knows whether it was done, else for any."""
    try:
        async with connections.database() as c:
            if unknown:
                await c.execute("update idempotency set status = 503 where key = $1", key)
            else:
                await c.execute("delete from idempotency where key = $1", key)
    except Unavailable:
        log.warning("key not freed", extra={"action": "idempotency"})


async def forget_old(c: Connection) -> None:
    """Delete what is older than a day."""
    await c.execute("delete from idempotency where created_at < now() - $1::interval", KEPT)
