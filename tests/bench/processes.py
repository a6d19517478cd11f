"""CPU seconds and peak memory of the processes of a stack."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

SERVERS = ("nats", "postgres")
"""What the services stand on; reported apart from them."""


def cpu_seconds(pids: Mapping[str, int]) -> dict[str, float]:
    """User and system time by service since each process began, its children with it."""
    found: dict[str, float] = {}
    for instance, pid in pids.items():
        name = service_of(instance)
        found[name] = found.get(name, 0.0) + _tree_seconds(psutil.Process(pid))
    return found


def peak_mib(pids: Mapping[str, int]) -> dict[str, float]:
    """Largest resident size that a process of each service ever had, in MiB; servers are left out (shared pages)."""
    found: dict[str, float] = {}
    for instance, pid in pids.items():
        name = service_of(instance)
        if name not in SERVERS:
            found[name] = max(found.get(name, 0.0), _peak(pid))
    return found


def service_of(instance: str) -> str:
    """The service that an instance such as ``generator-2`` belongs to."""
    name, _, number = instance.rpartition("-")
    return name if name and number.isdecimal() else instance


def _tree_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    # Postgres works in children; those that have ended are in the parent's own account.
    total = times.user + times.system + times.children_user + times.children_system
    for child in process.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            used = child.cpu_times()
            total += used.user + used.system
    return total


def _peak(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
