"""What every command stands on."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from convo_gateway.cli.client import Gateway
from convo_gateway.cli.options import with_gateway


def test_ctrl_c_is_heard_though_the_first_is_lost(tmp_path: Path) -> None:
    async def deaf(_: Gateway) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    with pytest.raises(KeyboardInterrupt):
        with_gateway("http://127.0.0.1:9", tmp_path, deaf)
