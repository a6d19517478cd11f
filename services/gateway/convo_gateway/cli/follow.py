"""A run's state as it changes: over the gateway's websocket, by asking again and again where that is away."""

import asyncio
from collections.abc import AsyncIterator, Callable

import aiohttp
import orjson
from pydantic import ValidationError

from convo_gateway.cli.client import Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.live.topic import merged
from convo_gateway.shapes.live import State
from convo_gateway.shapes.runs import RunSummary

__all__ = ["follow"]

POLL_S = 2.0
"""Between two questions while there is no websocket."""
SILENCE_S = 40.0
"""Without even a heartbeat for so long, the line is dead."""
_BROKEN = (aiohttp.ClientError, OSError, TimeoutError, ValueError)


async def follow(api: Gateway, run: str, note: Callable[[str], None]) -> AsyncIterator[RunSummary]:
    """States of a run, the present one first; it reconnects by itself and never ends by itself.

    Args:
        api: the gateway.
        run: id of the run.
        note: is told when the gateway goes away and when it is back.

    Raises:
        CommandError: the first question already fails, or the run is gone.
    """
    yield await _ask(api, run)
    away = False
    while True:
        try:
            async for state in _pushed(api, run):
                if away:
                    away = False
                    note("The gateway is back.")
                yield state
        except _BROKEN:
            # No websocket, or it broke: ask once, then try it again.
            pass
        await asyncio.sleep(POLL_S)
        try:
            yield await _ask(api, run)
        except CommandError as error:
            if error.code is not Exit.UNREACHABLE:
                raise
            if not away:
                away = True
                note(f"{error.message}. Trying again; the run is not touched by this.")


async def _ask(api: Gateway, run: str) -> RunSummary:
    return read_as(RunSummary, await api.get(f"runs/{run}"))


async def _pushed(api: Gateway, run: str) -> AsyncIterator[RunSummary]:
    """States as the websocket tells them, until it closes or a message is missing.

    Raises:
        ValueError: it says something that is not understood.
    """
    topic = f"run:{run}"
    async with api.session.ws_connect(api.address("live"), heartbeat=None) as socket:
        await socket.send_json({"op": "subscribe", "topic": topic})
        state: State = {}
        seq = 0
        while True:
            message = await socket.receive(timeout=SILENCE_S)
            if message.type is not aiohttp.WSMsgType.TEXT:
                return
            said = orjson.loads(message.data)
            match said:
                case {"op": "snapshot", "topic": str(about), "state": dict(whole)} if (
                    about == topic
                ):
                    state, seq = whole, said["seq"]
                case {"op": "delta", "topic": str(about), "patch": dict(patch)} if about == topic:
                    if said["seq"] != seq + 1:
                        return
                    state, seq = merged(state, patch), said["seq"]
                case {"op": "heartbeat", "topics": dict(latest)}:
                    if latest.get(topic, seq) > seq:
                        return
                    continue
                case _:
                    return
            try:
                yield RunSummary.model_validate(state)
            except ValidationError as error:
                raise ValueError(str(error)) from error
