"""A download that never grows in memory and does not wait for ever for its reader."""

import asyncio

from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

READER_S = 60.0
"""A reader that takes nothing for so long is gone."""


class Download(StreamingResponse):
    """A streamed answer with a deadline on each part."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it.

        Raises:
            TimeoutError: when the reader stopped reading.
        """

        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(READER_S):
                await send(message)

        await super().__call__(scope, receive, send_in_time)
