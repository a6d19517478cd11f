"""How many exports stream at once: each holds a connection for as long as its reader takes."""

from collections.abc import Iterator
from contextlib import contextmanager

from convo_events.errors import Unavailable

SEATS = 4


class Seats:
    """Seats for exports that stream."""

    def __init__(self, seats: int = SEATS) -> None:
        """All of them are free."""
        self._free = seats

    def look(self) -> None:
        """See that a seat is free, before an answer begins that could not be taken back.

        Raises:
            Unavailable: when all are taken.
        """
        if self._free == 0:
            message = f"{SEATS} exports are under way already; try again when one has ended"
            raise Unavailable(message, part="gateway", retry_after_s=5)

    @contextmanager
    def one(self) -> Iterator[None]:
        """A seat for as long as the block lasts.

        Raises:
            Unavailable: when all are taken.
        """
        self.look()
        self._free -= 1
        try:
            yield
        finally:
            self._free += 1
