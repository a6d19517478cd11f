"""The near-duplicate index: band hashes and samples of what was accepted. Rows are written once and never change."""

from dataclasses import dataclass

from convo_events import ids
from convo_events.codec import Event
from convo_events.fingerprints import Fingerprint
from convo_events.similarity import decode_signature
from convo_events.steps import ConversationAccepted
from convo_projector.stamp import Key, Stamp

TABLE = "accepted_signature"
KEY = ("conversation",)


@dataclass(frozen=True, slots=True)
class Row:
    """One accepted conversation."""

    conversation: str
    run: str
    bands: list[int]
    """For its own run, where that has a near-duplicate limit."""
    corpus: list[int]
    """For all runs."""
    sample: list[int]
    """Shingles to estimate a similarity by."""


def rows(event: Event, stamp: Stamp) -> list[tuple[Key, Row]]:
    """The index entry of an accepted conversation; none where an earlier convo made it with layer 2 off."""
    if not isinstance(event, ConversationAccepted) or stamp.late:
        return []
    if not (event.signature or event.fingerprint):
        return []
    conversation = ids.conversation_id(event.run, event.thread, event.conversation)
    left = Fingerprint.decode(event.fingerprint)
    row = Row(
        conversation,
        event.run,
        bands=list(decode_signature(event.signature)),
        corpus=list(left.bands),
        sample=list(left.sample),
    )
    return [((conversation,), row)]
