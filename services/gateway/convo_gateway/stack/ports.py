"""Loopback ports: which are free, which were used last time, who has one that is taken."""

import socket
from collections.abc import Mapping

import psutil

__all__ = ["Ports", "holder_of", "is_free"]

LOOPBACK = "127.0.0.1"


class Ports:
    """Hands out free loopback ports, each name the same as last time if it is still free."""

    def __init__(self, last: Mapping[str, int]) -> None:
        self._last = dict(last)
        self.taken: dict[str, int] = {}

    def port(self, name: str, wanted: int = 0) -> int:
        """A free port for a name; `wanted` comes first, then the port of the last run."""
        if name not in self.taken:
            candidates = (wanted, self._last.get(name, 0))
            self.taken[name] = (
                next((port for port in candidates if port and self._is_ours(port)), 0)
                or self._any()
            )
        return self.taken[name]

    def _is_ours(self, port: int) -> bool:
        return port not in self.taken.values() and is_free(port)

    def _any(self) -> int:
        while True:
            with socket.socket() as probe:
                probe.bind((LOOPBACK, 0))
                port = int(probe.getsockname()[1])
            if port not in self.taken.values():
                return port


def is_free(port: int) -> bool:
    """Whether a server could listen on the loopback port now."""
    with socket.socket() as probe:
        # A port in TIME_WAIT is free for a server, as servers set the same option.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except (OSError, OverflowError):
            return False
    return True


def holder_of(port: int) -> str:
    """Who listens on a port, such as "python (process 4711)"; "another process" if hidden."""
    try:
        connections = psutil.net_connections(kind="tcp")
    except (psutil.Error, OSError):
        return "another process"
    for one in connections:
        if one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == port and one.pid:
            try:
                return f"{psutil.Process(one.pid).name()} (process {one.pid})"
            except psutil.Error:
                return f"process {one.pid}"
    return "another process"
