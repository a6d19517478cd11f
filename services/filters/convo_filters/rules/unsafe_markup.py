"""Reject a turn that would do something where it is shown: scripts, event handlers, javascript: links, hidden text."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 55
DESCRIPTION = (
    "Outside of code there is markup that acts where it is shown: a script, a frame, an event handler, a javascript: "
    "link, or text hidden in invisible tag characters."
)

# Source: what every HTML sanitizer removes first. A <script> that a sentence only names does nothing.
_ACTIVE = re.compile(
    r"<script\b[^<>]{0,300}(?:\bsrc\s{0,3}=[^<>]{1,300}>|>[^<]{0,2000}</script)"
    r"|<(?:iframe|embed|object|frame|base|applet)\b[^<>]{0,300}\b(?:src|srcdoc|data|href|code)\s{0,3}=[^<>]{1,300}>"
    r"|<meta\b[^<>]{0,100}http-equiv\s{0,3}=\s{0,3}[\"']?refresh[^<>]{0,300}>"
    r"|<form\b[^<>]{0,200}\baction\s{0,3}=[^<>]{1,300}>"
    r"|<[a-z][a-z0-9]{0,15}\b[^<>]{0,300}[\s\"'/]on[a-z]{3,20}\s{0,3}=\s{0,3}[\"']?[^\s<>]"
    r"|<[a-z][a-z0-9]{0,15}\b[^<>]{0,300}=\s{0,3}[\"']?\s{0,3}(?:javascript|vbscript):",
    re.IGNORECASE,
)
_LINK = re.compile(r"\]\(\s{0,3}<?(?:javascript|vbscript|data:text/html)[:;,]", re.IGNORECASE)
# A black flag may be followed by tag characters: the flags of England, Scotland and Wales are written so.
_HIDDEN = re.compile(
    "[\U000e0000-\U000e007f](?<![\U0001f3f4\U000e0020-\U000e007f].)[\U000e0000-\U000e007f]*"
)


class Parameters(RuleParameters):
    """Whose turns are looked at."""

    users: bool = False
    """Also markup in the user's turns: people do paste pages as they are. Hidden text counts everywhere."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first piece that acts or hides."""
    users = context.parameters.users
    return context.reading.first(lambda said: _unsafe(said, users))


def _unsafe(said: Said, users: bool) -> Found | None:
    if not said.text.isascii() and (hidden := _HIDDEN.search(said.text)):
        # Tag characters spell ASCII; what they say is what a person needs to see.
        spelled = "".join(chr(ord(one) - 0xE0000) for one in hidden[0][:60])
        return said.found_given(*hidden.span(), f"Invisible characters hide a text: {spelled!r}.")
    if said.role == "user" and not users:
        return None
    for worth_it, pattern in (("<" in said.plain, _ACTIVE), ("](" in said.plain, _LINK)):
        if worth_it and (match := pattern.search(said.prose)):
            return said.found(*match.span(), "Markup that acts where it is shown.")
    return None
