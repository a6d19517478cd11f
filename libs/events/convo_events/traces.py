"""One conversation is one trace, whichever services work on it: its ids are derived from the conversation's."""

import hashlib


def conversation_trace(conversation: str) -> str:
    """The W3C ``traceparent`` of a conversation."""
    raw = hashlib.sha256(f"trace:{conversation}".encode()).hexdigest()
    return f"00-{raw[:32]}-{raw[32:48]}-01"
