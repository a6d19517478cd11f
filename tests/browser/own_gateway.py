"""A gateway of its own beside a stack, as a process that a test may kill and start again at the same address."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from convo_gateway.stack.ports import Ports
from tests.browser.site import Site

_PATIENCE_S = 300.0


class OwnGateway:
    """Where it is, and its process."""

    def __init__(self, environ: dict[str, str], log: Path) -> None:
        port = Ports({}).port("gateway")
        self._log = log
        self._environ = environ | {
            "CONVO_GATEWAY_PORT": str(port),
            "CONVO_INSTANCE": "gateway-of-a-test",
        }
        self.url = f"http://127.0.0.1:{port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; returns when it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "convo_gateway"], env=self._environ, stdout=log, stderr=log
            )
        deadline = time.monotonic() + _PATIENCE_S
        while not self._is_ready():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, self._log.read_text()

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as reply:
                return bool(reply.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """End it at once, by its process id; without effect where it has ended."""
        process, self._process = self._process, None
        if process is not None:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def own_gateway(site: Site, log: Path) -> Iterator[OwnGateway]:
    """A started gateway of the site's stack; killed at the end."""
    stack = site.pipeline.stack
    gateway = OwnGateway({**os.environ, **stack.env("gateway")}, log)
    gateway.start()
    try:
        yield gateway
    finally:
        gateway.kill()
