"""Under which key and in which place a verdict is kept for a later request that is exactly the same. Pure.

The cache has a fixed number of places. A verdict goes to the place that its key says and takes that of whatever was
there before, so it can never grow, and it is a fold of the log like all else that the projector writes. A key is a
hash: it holds nothing of what was asked.
"""

import hashlib

from convo_events.catalog import Backend

SLOTS = 2**20
"""Verdicts that are kept at most; about 300 bytes each."""


def request_key(backend: Backend, body: bytes) -> str:
    """SHA-256, in hexadecimal, of who is asked and the exact bytes that are sent: model, text and parameters."""
    where = f"{backend.name}\x1f{backend.base_url}\x1f".encode()
    return hashlib.sha256(where + body).hexdigest()


def slot_of(key: str) -> int:
    """The place of a key, 0 to ``SLOTS`` - 1."""
    return int(key[:8], 16) % SLOTS
