"""``python -m convo_filters.replay``: works on the replays that its standard input names, one line each.

A line is the replay and the fence of its claim; when it is through, a line on standard output says so. It ends when its
input does: with the service that started it, however that ends.
"""

import asyncio
import os
import sys

import uvloop

from convo_events.errors import ConvoError
from convo_events.settings import Settings
from convo_events.store import open_pool
from convo_events.telemetry import configure_logs
from convo_filters.replay.claims import Claim
from convo_filters.replay.job import do

NICENESS = 10
"""Paid steps come first on a busy machine."""


async def work(settings: Settings) -> None:
    """Do what the lines name.

    Raises:
        Unavailable: when Postgres is away; whoever takes the replay next starts it again.
    """
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    listening = asyncio.create_task(_listen(lines))
    pool = await open_pool(settings, most=2)
    try:
        while True:
            replay, fence = (await lines.get()).decode().split()
            await do(pool, Claim(replay, int(fence)))
            sys.stdout.write("through\n")
            sys.stdout.flush()
    finally:
        listening.cancel()
        await pool.close()


async def _listen(lines: "asyncio.Queue[bytes]") -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        lines.put_nowait(line)
    os._exit(3)  # at once, whatever is under way: nobody waits for it any more


def main() -> int:
    """Exit code 1 where a replay has to be begun again."""
    os.nice(NICENESS)
    settings = Settings.from_env(os.environ)
    configure_logs(settings)
    try:
        uvloop.run(work(settings))
    except ConvoError as error:
        sys.stderr.write(f"replays: {error}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
