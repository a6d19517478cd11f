"""Reject a conversation without turns, or with a turn in which nothing can be read."""

import regex

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context

PRECEDENCE = 10
DESCRIPTION = "A turn has no visible character, or there is no turn at all."

# Fillers that are letters to Unicode but blank to a reader: braille blank, Hangul fillers, grapheme joiner.
_VISIBLE = regex.compile(r"[^\s\p{C}\p{Z}\u2800\u3164\u115f\u1160\uffa0\u034f\ufe00-\ufe0f]")


def check(conversation: Conversation, context: Context) -> Found | None:
    """The first turn in which nothing can be read."""
    if not conversation.turns:
        return Found("The conversation has no turns.")
    for said in context.reading.turns:
        if not _VISIBLE.search(said.text):
            return said.found_whole(f"The {said.role}'s turn is empty.")
    return None
