"""Reject text that somebody was meant to fill in: [Your Name], {{ topic }}, <insert date>, lorem ipsum."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found, found_match, without_code
from convo_filters.rules_context import Context, RuleParameters

PRECEDENCE = 50
DESCRIPTION = "A blank was left to fill in, such as [Your Name], {{ topic }} or lorem ipsum. Code is left alone."

_ASKS = (
    r"your|my|insert|enter|add|placeholder|fill in|votre|ton|tu|su|ihr(?:en?)?|dein|seu|ваш[аеу]?|"
    r"укажите|вставьте|你的|您的|请输入|あなたの"
)
_NAMED = (
    r"(?:(?:first|last|full|user|company|product|customer|client|recipient|sender|friend|street|email|phone|city)"
    r"(?:['’]s)?[ _-])?(?:name|address|number|company|date|time|city|location|phone|e-?mail|topic|title|amount|"
    r"website|link|url|placeholder)|nombre|nom|nome|vorname|datum|имя|дата|город|姓名|名字|名前|日期"
)
_BRACKET = re.compile(
    rf"(?<![A-Za-z0-9_\])])[\[【](?:(?:(?:{_ASKS})(?:\b|(?<=[的の入]))[^\[\]】\n]{{1,60}})|(?:{_NAMED}))[\]】](?![(\[])",
    re.IGNORECASE,
)
_ANGLE = re.compile(rf"<(?:{_ASKS})[ _-][^<>\n]{{1,60}}>|<(?:{_NAMED})>", re.IGNORECASE)
_TEMPLATE = re.compile(r"\{\{[^{}\n]{1,80}\}\}|\{%[^{}\n]{1,80}%\}")
_BRACES = re.compile(r"(?<![\w$\\{}^])\{[a-z][a-z_]{2,39}\}(?!\})")
_LOREM = re.compile(r"\blorem ipsum\b", re.IGNORECASE)


class Parameters(RuleParameters):
    """Which blanks count."""

    braces: bool = True
    """Also names in single braces, such as {name}; switch it off for talks about templates."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first blank."""
    for at, turn in enumerate(conversation.turns):
        text = turn.text
        patterns = _patterns(text, context.parameters.braces)
        prose = without_code(text) if patterns else text
        for pattern in patterns:
            if match := pattern.search(prose):
                return found_match(at, text, match, "A blank that was meant to be filled in.")
    return None


def _patterns(text: str, braces: bool) -> list[re.Pattern[str]]:
    """The patterns that have a chance, by the one character each needs."""
    chosen = [_BRACKET] if "[" in text or "【" in text else []
    if "<" in text:
        chosen.append(_ANGLE)
    if "{" in text:
        chosen += [_TEMPLATE, _BRACES] if braces else [_TEMPLATE]
    if "ipsum" in text.lower():
        chosen.append(_LOREM)
    return chosen
