"""The websocket: one client, its messages in and out, and why it is closed."""

import asyncio
import logging

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from convo_events.errors import Unavailable
from convo_gateway.live.hub import Hub
from convo_gateway.live.messages import (
    BAD_MESSAGE,
    FROM_CLIENT,
    OTHER_VERSION,
    PROTOCOL,
    TOO_MANY,
    Subscribe,
)
from convo_gateway.live.session import TOPICS, Session

log = logging.getLogger(__name__)

HEARTBEAT_S = 15.0
MAX_MESSAGE_BYTES = 16_384
"""Longest message of a client; the server closes with 1009 above it."""

router = APIRouter()


class _Close(Exception):
    """The client is to be closed."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Follow topics. Close codes: 4400 bad message, 4409 other protocol, 1013 try again later, 1012 restart."""
    hub: Hub = socket.app.state.gateway.hub
    await socket.accept()
    if socket.query_params.get("v", PROTOCOL) != PROTOCOL:
        await socket.close(OTHER_VERSION, f"this gateway speaks version {PROTOCOL}: reload")
        return
    if not hub.enter():
        await socket.close(TOO_MANY, "too many clients")
        return
    session = Session()
    try:
        await _serve(socket, hub, session)
    finally:
        hub.leave(session)


async def _serve(socket: WebSocket, hub: Hub, session: Session) -> None:
    tasks = {
        asyncio.create_task(_listen(socket, hub, session)),
        asyncio.create_task(_speak(socket, hub, session)),
    }
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        match task.exception():
            case None | WebSocketDisconnect():
                pass
            case _Close() as close:
                await socket.close(close.code, close.reason)
            case error:
                raise error


async def _listen(socket: WebSocket, hub: Hub, session: Session) -> None:
    """Do what the client asks, one message after another."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            wish = FROM_CLIENT.validate_json(message.get("text") or "")
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise _Close(BAD_MESSAGE, f"not understood: {first['msg']}"[:120]) from None
        if not isinstance(wish, Subscribe):
            hub.unsubscribe(session, wish.topic)
            continue
        if len(session.topics) >= TOPICS and wish.topic not in session.topics:
            raise _Close(BAD_MESSAGE, f"at most {TOPICS} topics for one client")
        await session.room()
        try:
            await hub.subscribe(session, wish)
        except Unavailable:
            raise _Close(TOO_MANY, "PostgreSQL is away: try again later") from None


async def _speak(socket: WebSocket, hub: Hub, session: Session) -> None:
    """Send what is queued, and a sign of life every 15 seconds."""
    loop = asyncio.get_running_loop()
    beat_at = loop.time() + HEARTBEAT_S
    while True:
        message = await session.next(max(0.0, beat_at - loop.time()))
        if message is None:
            message, beat_at = hub.heartbeat(session), loop.time() + HEARTBEAT_S
        await socket.send_text(message.decode())
