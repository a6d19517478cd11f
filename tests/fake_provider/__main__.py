"""Runs the fake provider: `python -m tests.fake_provider --port 0 --log calls.jsonl`."""

import argparse
import asyncio
import gc
import json
import resource
import signal
import sys
from pathlib import Path

import uvloop

from tests.fake_provider.provider import Provider
from tests.fake_provider.server import serve


def main() -> None:
    """Serve until SIGTERM or SIGINT; prints `{"port": N}` as soon as it listens."""
    parser = argparse.ArgumentParser(prog="python -m tests.fake_provider")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--log", type=Path, help="append every call to this JSONL file")
    parser.add_argument(
        "--end-with-stdin", action="store_true", help="stop when standard input closes"
    )
    asked = parser.parse_args()
    # Each client is a socket: take as many as the machine lets us have.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # The growing log holds no cycles: do not walk all of it again and again.
    gc.set_threshold(100_000, 50, 1000)
    uvloop.run(_run(asked.host, asked.port, asked.log, asked.end_with_stdin))


async def _run(host: str, port: int, log_file: Path | None, end_with_stdin: bool) -> None:
    provider = Provider(log_file)
    server = await serve(provider, host, port)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopped.set)
    if end_with_stdin:
        # The parent writes nothing there: readable means that it is gone, however it ended.
        loop.add_reader(sys.stdin.fileno(), stopped.set)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await stopped.wait()
    server.close()
    if provider.file:
        provider.file.close()


if __name__ == "__main__":
    main()
