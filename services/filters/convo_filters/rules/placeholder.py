"""Reject text that somebody was meant to fill in: [Your Name], {{ topic }}, <insert date>, lorem ipsum."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

PRECEDENCE = 50
DESCRIPTION = "A blank was left to fill in, such as [Your Name] or {{ topic }}. Code and quotations are left alone."

_ASKS = (
    r"your|my|insert|enter|add|placeholder|fill in|votre|ton|insérer|tu|su|inserte|insertar|ihr(?:en?)?|dein|seu|"
    r"inserir|il tuo|inserire|uw|jouw|vul|twoj[eaą]|wpisz|wstaw|ваш[аеу]?|твоё|укажите|вставьте|вкажіть|вставте|"
    r"το|أدخل|أضف|הכנס|הזן|अपना|आपका|आपकी|আপনার|ใส่|tên của|nhập|điền|adınız|你的|您的|请输入|請輸入|填写|あなたの|ご|お"
)
_NAMED = (
    r"(?:(?:first|last|full|user|company|product|customer|client|recipient|sender|friend|street|email|phone|"
    r"city)(?:['’]s)?[ "
    r"_-])?(?:name|address|number|company|date|time|city|location|phone|e-?mail|topic|title|amount|website|link|"
    r"url|placeholder)|recipient|sender|(?:your )?(?:position|job title|department|signature)|(?:vor-? und "
    r")?nachname|empfänger|absender|nombre(?: completo| y "
    r"apellidos?)?|apellidos?|destinatario|prénom|destinataire|cognome|destinatário|nom(?: complet)?|nome(?: "
    r"completo| e cognome)?|naam|vorname|datum|imię|nazwisko|isim|ad "
    r"soyad|tarih|имя|дата|город|ім'я|місто|όνομα|الاسم|اسمك|اسم|التاريخ|שם|שמך|תאריך|השם "
    r"שלך|नाम|तारीख|নাম|তারিখ|ชื่อ|วันที่|họ tên|ngày|姓名|名字|名前|氏名|日期|日付|이름|성함|날짜|귀하의 이름"
)
# Each begins with the one character it needs: what stands before that is looked at after it, so that it is found fast.
_HTML = ("<address>", "<time>", "<title>", "<link>")
_BRACKET = re.compile(
    rf"[\[【](?<![A-Za-z0-9_\])].)(?:(?:{_ASKS})(?:\b|(?<=[^\x00-\u058f]))[^\[\]】\n]{{1,60}}|{_NAMED})[\]】](?![(\[])",
    re.IGNORECASE,
)
_ANGLE = re.compile(
    rf"<(?:{_ASKS})[ _-][^<>\n]{{1,60}}>|<(?:{_NAMED})>|<(?<!<<)[A-Z]{{3,12}}_[A-Z]{{2,12}}>(?!>)",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\{\{[^{}\n]{1,80}\}\}|\{%[^{}\n]{1,80}%\}")
_BRACES = re.compile(r"\{(?<![\w$\\{}^]\{)[A-Za-z][A-Za-z_]{2,39}\}(?!\})")
_LOREM = re.compile(r"\blorem ipsum\b", re.IGNORECASE)
_SHOUTED = re.compile(r"\b(?:INSERT|ENTER|YOUR|PUT)_[A-Z_]{1,40}_HERE\b")
_DETAIL = "A blank that was meant to be filled in."


class Parameters(RuleParameters):
    """Which blanks count."""

    braces: bool = True
    """Also names in single braces, such as {name}; switch it off for talks about templates."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first blank."""
    braces = context.parameters.braces
    return context.reading.first(lambda said: _blank(said, braces))


def _blank(said: Said, braces: bool) -> Found | None:
    for pattern in _patterns(said.plain, braces):
        for match in pattern.finditer(said.own):
            if match[0].lower() not in _HTML:
                return said.found(match.start(), match.end(), _DETAIL)
    return None


def _patterns(text: str, braces: bool) -> list[re.Pattern[str]]:
    """The patterns that have a chance, by the one character each needs."""
    chosen = [_BRACKET] if "[" in text or "【" in text else []
    if "<" in text:
        chosen.append(_ANGLE)
    if "{" in text:
        chosen += [_TEMPLATE, _BRACES] if braces else [_TEMPLATE]
    if "ipsum" in text or "IPSUM" in text:
        chosen.append(_LOREM)
    if "_HERE" in text:
        chosen.append(_SHOUTED)
    return chosen
