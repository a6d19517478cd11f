"""Reject a user who writes like a document: headings, tables, code blocks, bold lists."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found, found_match
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 150
DESCRIPTION = "A user turn has headings, tables, code blocks or lists with bold heads, as people do not type them."

_HEADING = re.compile(r"^[ ]{0,3}#{1,6}[ \t]+\S[^\n]{0,80}", re.MULTILINE)
_TABLE = re.compile(
    r"^[ \t]*\|[^\n]{1,300}\n[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*\|[-:| \t]*$", re.MULTILINE
)
_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~)[^\n]{0,40}$", re.MULTILINE)
_BOLD_ITEM = re.compile(
    r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+(?:\*\*[^*\n]{1,80}\*\*|__[^_\n]{1,80}__)", re.MULTILINE
)


class Parameters(RuleParameters):
    """What counts."""

    headings: bool = True
    """Lines that begin with # signs."""
    tables: bool = True
    """Rows of | with a line of dashes."""
    fences: bool = True
    """Blocks of code between ```; switch it off where users paste code."""
    bold_lists: bool = True
    """List items with a bold head."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first piece of markup in a user turn."""
    wanted = context.parameters
    for at, turn in enumerate(conversation.turns):
        text = turn.text
        if turn.role != "user":
            continue
        looks = (
            (wanted.headings and "#" in text, _HEADING, "a heading"),
            (wanted.tables and "|" in text, _TABLE, "a table"),
            (wanted.fences and ("```" in text or "~~~" in text), _FENCE, "a code block"),
            (
                wanted.bold_lists and ("**" in text or "__" in text),
                _BOLD_ITEM,
                "a list with bold heads",
            ),
        )
        for worth_it, pattern, what in looks:
            if worth_it and (match := pattern.search(text)):
                return found_match(at, text, match, f"The user writes {what}.")
    return None
