"""Parts of a scheduler on a real database, with a log in memory that can be away."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from convo_events.codec import Event, decode
from convo_events.errors import Unavailable
from convo_events.log import Letter
from convo_events.service import Parts
from convo_events.settings import Settings
from convo_events.store import Pool


@dataclass
class MemoryLog:
    """Appends to a list."""

    events: list[Event] = field(default_factory=list)
    away: bool = False

    async def append(self, letters: Sequence[Letter]) -> int:
        """Sequence of the last."""
        if self.away:
            raise Unavailable("NATS is away", part="nats")
        self.events += [decode(item.body)[1] for item in letters]
        return len(self.events)


@dataclass
class Wire:
    """A connection that keeps what is published."""

    sent: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def connection(self) -> "Wire":
        """Itself, as a broker has its connection."""
        return self

    async def publish(self, subject: str, body: bytes) -> None:
        """Keep it."""
        self.sent.append((subject, body))


def parts_on(pool: Pool, log: MemoryLog) -> Parts:
    """Parts of instance ``scheduler-1``."""
    settings = Settings.from_env(
        {
            "CONVO_NATS_URL": "nats://nowhere",
            "CONVO_DATABASE_URL": "postgresql://nowhere/none",
            "CONVO_INSTANCE": "scheduler-1",
        }
    )
    wire: Any = Wire()
    publisher: Any = log
    metrics: Any = None
    return Parts(settings, pool, wire, metrics, publisher, log_created="log-1")
