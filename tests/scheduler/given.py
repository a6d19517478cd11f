"""given(what happened).when(a command).then(what it does)."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from convo_events.commands import ControlRun, StartRun
from convo_events.errors import ConvoError
from convo_scheduler.run import Control, LifeEvent, Own, decide, decide_own, evolve, start

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
When = ControlRun | StartRun | Own


@dataclass(frozen=True)
class Outcome:
    """What a command or an observation led to."""

    control: Control | None
    when: When
    open_threads: int

    def events(self) -> list[LifeEvent]:
        """What it does."""
        if isinstance(self.when, StartRun):
            return start(self.when, self.control, NOW)
        if isinstance(self.when, ControlRun):
            return decide(self.when, self.control, self.open_threads)
        assert self.control is not None
        return decide_own(self.when, self.control)

    def then(self, *expected: LifeEvent) -> None:
        """Exactly these events."""
        assert self.events() == list(expected)

    def refused(self, kind: type[ConvoError], message: str) -> None:
        """It is refused with such a message."""
        with pytest.raises(kind, match=message):
            self.events()


@dataclass(frozen=True)
class Given:
    """A run after what happened to it."""

    control: Control | None

    def when(self, command: When, *, open_threads: int = 0) -> Outcome:
        """Something is asked or seen."""
        return Outcome(self.control, command, open_threads)


def given(*happened: LifeEvent) -> Given:
    """A run with this history."""
    control: Control | None = None
    for event in happened:
        control = evolve(control, event)
    return Given(control)
