"""Reject a turn with a contact that a model made up: a mail address, a telephone number, a web address."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 155
DESCRIPTION = (
    "A turn names a mail address or a telephone number (web addresses only where the config says so) that may belong "
    "to "
    "somebody. Code and what the standards set aside for examples are left alone."
)

_MAIL = re.compile(
    r"(?<![a-zA-Z0-9_.+%@/:-])[a-zA-Z0-9_.+%-]{1,64}@((?:[\w-]{1,63}\.){1,8}[a-zA-Z]{2,24})(?![a-zA-Z0-9_@-])"
)
_SITE = re.compile(
    r"(?<![\w@])(?:https?://|www\.)((?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24})(?::\d{1,5})?(?:/[^\s<>\"')\]]{0,500})?",
    re.IGNORECASE,
)
# With a plus, or in groups as telephone numbers are written: a plain run of digits is an order number as well.
_PHONE = re.compile(
    r"(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}"
    r"|\(\d{2,5}\)[ .-]?\d{2,4}(?:[ .-]\d{2,4}){1,3}"
    r"|(?:1[ .-])?\d{3}-\d{3}-\d{4}"
    r"|0\d{1,4}(?:[ /-]| / )\d{2,4}(?:[ -]\d{2,4}){1,3}|0\d{9,10}"
    r"|1[3-9]\d{9}|8[ -]?\(?\d{3}\)?[ -]\d{3}-\d{2}-\d{2})(?![a-zA-Z0-9_-]|[.,]\d)"
)
# How one begins, with what does not stand before it looked at last: so what has no digits is passed over fast.
_PHONE_START = re.compile(r"[+(\d](?<![a-zA-Z0-9_.,/+:=#€$£-].)")
# Source: RFC 2606 and RFC 6761 (names), NANPA 555-0100 to 555-0199 (numbers), both set aside for examples.
_EXAMPLE_NAMES = (
    "example",
    "test",
    "invalid",
    "localhost",
    "local",
    "example.com",
    "example.org",
    "example.net",
)
_FEWEST_DIGITS = 9
_FICTION = re.compile(r"555-?01\d\d\Z")


class Parameters(RuleParameters):
    """What counts as a contact."""

    mails: bool = True
    """Mail addresses outside of example domains."""
    phones: bool = True
    """Telephone numbers written as such, outside of those set aside for fiction."""
    links: bool = False
    """Also web addresses; most talks about software name real ones, so this is off."""
    known_sites: str = "wikipedia.org python.org mozilla.org github.com gov who.int europa.eu"
    """Endings of web and mail addresses that pass, with blanks between them."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first contact; code does not count."""
    known = (*_EXAMPLE_NAMES, *context.parameters.known_sites.lower().split())
    return context.reading.first(lambda said: _contact(said, context.parameters, known))


def _contact(said: Said, wanted: Parameters, known: tuple[str, ...]) -> Found | None:
    text = said.plain
    if wanted.mails and "@" in text:
        for match in _MAIL.finditer(said.prose):
            if not _is_known(match[1], known):
                return said.found(*match.span(), "A mail address that may be somebody's.")
    if wanted.links and ("://" in text or "www." in text.lower()):
        for match in _SITE.finditer(said.prose):
            if not _is_known(match[1], known):
                return said.found(*match.span(), f"The web address {match[1]}.")
    return _phone(said) if wanted.phones and said.digits >= _FEWEST_DIGITS else None


def _phone(said: Said) -> Found | None:
    prose, at = said.prose, 0
    while start := _PHONE_START.search(prose, at):
        match = _PHONE.match(prose, start.start())
        at = match.end() if match else start.end()
        digits = "".join(filter(str.isdecimal, match[0])) if match else ""
        if match and len(digits) >= _FEWEST_DIGITS and not _FICTION.search(digits):
            return said.found(*match.span(), "A telephone number that may be somebody's.")
    return None


def _is_known(name: str, known: tuple[str, ...]) -> bool:
    lowered = name.lower()
    return any(lowered == one or lowered.endswith("." + one) for one in known)
