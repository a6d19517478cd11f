"""Reject a user who writes like a document: headings, tables, code blocks, bold lists."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

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
    return context.reading.first(lambda said: _markup(said, wanted), "user")


def _markup(said: Said, wanted: Parameters) -> Found | None:
    text = said.plain
    fenced = "```" in text or "~~~" in text
    # What stands inside a block of code is the code's: its # is no heading.
    prose = said.prose if fenced else text
    looks = (
        (wanted.fences and fenced, _FENCE, text, "a code block"),
        (wanted.headings and "#" in prose, _HEADING, prose, "a heading"),
        (wanted.tables and "|" in prose, _TABLE, prose, "a table"),
        (
            wanted.bold_lists and ("**" in prose or "__" in prose),
            _BOLD_ITEM,
            prose,
            "a list with bold heads",
        ),
    )
    for worth_it, pattern, seen, what in looks:
        if worth_it and (match := pattern.search(seen)):
            return said.found(*match.span(), f"The user writes {what}.")
    return None
