"""The call log: what was asked, when, and how each request ended. It judges; nothing is sampled.

Times are seconds of the system-wide monotonic clock (comparable between processes of one machine) and Unix
seconds, both read with nanosecond resolution.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import orjson

Outcome: TypeAlias = Literal["open", "answered", "client_closed", "cut"]
KEPT_CALLS = 1_000_000
"""Calls kept in memory; older ones are in the file only. Counts cover all."""


@dataclass(slots=True)
class Call:
    """One request, logged when it has arrived whole; the last six fields are known at its end."""

    seq: int
    """From 1, never used again, not even after a reset."""
    at: float
    """Monotonic seconds when its first byte arrived."""
    at_unix: float
    method: str
    path: str
    model: str | None
    key: str | None
    """Idempotency-Key header."""
    body_sha256: str
    body_bytes: int
    stream: bool
    action: str
    rule: int | None
    status: int | None = None
    sent_bytes: int = 0
    outcome: Outcome = "open"
    """answered: whole reply written. client_closed: the client left before that. cut: as programmed."""
    ended: float | None = None
    """Monotonic seconds of the last byte, or of the close."""
    ended_unix: float | None = None
    prompt_tokens: int | None = None
    """Tokens of a sound usage that was sent whole."""
    completion_tokens: int | None = None

    @property
    def client_closed_at(self) -> float | None:
        """Monotonic seconds when the client left before the answer was complete."""
        return self.ended if self.outcome == "client_closed" else None


@dataclass(slots=True)
class Stats:
    """Counts since the start or the last reset. Only chat completions are counted, but for `other`."""

    requests: int = 0
    answered: int = 0
    aborted: int = 0
    """Client closed before the answer was complete."""
    cut: int = 0
    in_flight: int = 0
    max_in_flight: int = 0
    open_sockets: int = 0
    incomplete: int = 0
    """Requests that never arrived whole."""
    other: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    keys: int = 0
    """Different Idempotency-Keys."""
    by_status: dict[str, int] = field(default_factory=dict)
    """Of the requests that were answered whole."""
    by_action: dict[str, int] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)
    """Key -> requests, for keys with more than one (the first 1,000)."""
    repeated_after_ok: dict[str, int] = field(default_factory=dict)
    """Key -> requests that came after a completed 200: each is a call paid twice."""
    overlapping: dict[str, int] = field(default_factory=dict)
    """Key -> requests that came while one of the same key was in flight."""


class LogFile:
    """Lines for a JSONL file; they gather until `flush` appends them in one write."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self._lines: list[bytes] = []

    def append(self, line: bytes) -> None:
        """Take one line, without its end."""
        self._lines.append(line + b"\n")

    def flush(self) -> None:
        """Write what has gathered: it survives the death of this process from here on."""
        if self._lines:
            self._file.write(b"".join(self._lines))
            self._lines.clear()

    def close(self) -> None:
        """Flush and close."""
        self.flush()
        self._file.close()


class CallLog:
    """Calls in order of arrival, with running counts."""

    def __init__(self, file: LogFile | None = None, last_seq: int = 0) -> None:
        self.last_seq = last_seq
        self._file = file
        self._calls: dict[int, Call] = {}
        self._stats = Stats()
        self._statuses: Counter[int] = Counter()
        self._actions: Counter[str] = Counter()
        self._by_key: Counter[str] = Counter()
        self._flying: dict[str, int] = {}
        self._ok: set[str] = set()

    def arrived(self, call: Call, counted: bool = True) -> None:
        """Take a request in; `counted` is False for what is no chat completion."""
        self.last_seq = call.seq
        self._calls[call.seq] = call
        self._calls.pop(call.seq - KEPT_CALLS, None)
        self._write("arrived", call)
        if not counted:
            self._stats.other += 1
            return
        stats = self._stats
        stats.requests += 1
        stats.in_flight += 1
        stats.max_in_flight = max(stats.max_in_flight, stats.in_flight)
        self._actions[call.action] += 1
        if call.key is not None:
            self._arrived_again(call.key)

    def _arrived_again(self, key: str) -> None:
        self._by_key[key] += 1
        if key in self._ok:
            again = self._stats.repeated_after_ok
            again[key] = again.get(key, 0) + 1
        beside = self._flying.get(key, 0)
        if beside:
            overlapping = self._stats.overlapping
            overlapping[key] = overlapping.get(key, 0) + 1
        self._flying[key] = beside + 1

    def ended(
        self, call: Call, outcome: Outcome, now: float, now_unix: float, counted: bool
    ) -> None:
        """Note how a request ended."""
        call.outcome, call.ended, call.ended_unix = outcome, now, now_unix
        if outcome != "answered":
            call.prompt_tokens = call.completion_tokens = None
        self._write("ended", call)
        if not counted:
            return
        stats = self._stats
        stats.in_flight -= 1
        if call.key is not None:
            self._landed(call.key)
        match outcome:
            case "client_closed":
                stats.aborted += 1
            case "cut":
                stats.cut += 1
            case _:
                self._answered(call)

    def _landed(self, key: str) -> None:
        self._flying[key] -= 1
        if not self._flying[key]:
            del self._flying[key]

    def _answered(self, call: Call) -> None:
        stats = self._stats
        stats.answered += 1
        stats.prompt_tokens += call.prompt_tokens or 0
        stats.completion_tokens += call.completion_tokens or 0
        if call.status is not None:
            self._statuses[call.status] += 1
        if call.status == 200 and call.key is not None:
            self._ok.add(call.key)

    def incomplete(self) -> None:
        """Count a request whose client left before it had arrived whole."""
        self._stats.incomplete += 1

    def page(self, after: int, limit: int) -> list[Call]:
        """Calls with a greater sequence number than `after`, oldest first."""
        first = next(iter(self._calls), self.last_seq + 1)
        start = max(after + 1, first)
        stop = min(self.last_seq + 1, start + limit)
        return [self._calls[seq] for seq in range(start, stop)]

    def stats(self, open_sockets: int) -> Stats:
        """The counts now."""
        stats = self._stats
        stats.open_sockets = open_sockets
        stats.keys = len(self._by_key)
        stats.by_status = {str(status): count for status, count in sorted(self._statuses.items())}
        stats.by_action = dict(self._actions)
        stats.repeated = dict(
            [(key, count) for key, count in self._by_key.items() if count > 1][:1000]
        )
        return stats

    def counts_by_key(self) -> dict[str, int]:
        """Requests of every Idempotency-Key."""
        return dict(self._by_key)

    def _write(self, event: str, call: Call) -> None:
        if self._file:
            self._file.append(orjson.dumps({"event": event, "call": call}))


def read_log_file(file: Path) -> list[Call]:
    """The calls of a log file in order of arrival, each as last written; a torn last line is left out."""
    calls: dict[int, Call] = {}
    for line in file.read_bytes().split(b"\n")[:-1]:
        call = Call(**orjson.loads(line)["call"])
        calls[call.seq] = call
    return list(calls.values())
