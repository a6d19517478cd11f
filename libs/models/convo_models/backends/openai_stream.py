"""Server-sent events of a streamed completion, from bytes cut anywhere.

Source: WHATWG HTML, section 9.2.6 "Interpreting an event stream".
"""

from collections.abc import Iterator

from convo_models.backends.errors import BackendError, ErrorKind

DONE = b"[DONE]"
MOST_EVENT_BYTES = 1024 * 1024
"""Largest single event."""


class EventStream:
    """Collects bytes and hands out the payload of each complete event; comments and other fields are skipped."""

    def __init__(self) -> None:
        self._rest = b""
        self._after_cr = False
        self._payload: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Payloads that ``piece`` completes, oldest first.

        Raises:
            BackendError: ``too_large`` for an event that does not end.
        """
        if self._after_cr and piece.startswith(b"\n"):
            piece = piece[1:]  # the second half of a line end that was cut in two
        self._after_cr = piece.endswith(b"\r") if piece else self._after_cr
        buffer = self._rest + piece
        if b"\r" in buffer:
            buffer = buffer.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, self._rest = buffer.split(b"\n")
        for line in lines:
            if line:
                self._field(line)
            elif self._payload:
                yield b"\n".join(self._payload)
                self._payload, self._size = [], 0
        if len(self._rest) + self._size > MOST_EVENT_BYTES:
            raise BackendError(
                ErrorKind.too_large, f"one streamed event is over {MOST_EVENT_BYTES} bytes"
            )

    def _field(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            value = line[6:] if line[5:6] == b" " else line[5:]
            self._payload.append(value)
            self._size += len(value) + 1
