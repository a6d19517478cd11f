"""Reject an assistant that refuses: "I'm sorry, but I can't assist with that"."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found, any_of, by_language, found_match, spoken_match
from convo_filters.rules_context import Context

PRECEDENCE = 100
DESCRIPTION = "The assistant refuses in a model's stock words."

_CANNOT = any_of(
    "can['’]?t, cannot, can not, won['’]t, will not, am (?:not able|unable) to, ['’]m (?:not able|unable) to, could not"
)
_DO = any_of(
    "assist, help you (?:with|create|write|do), help with, fulfill?, comply, engage in, participate, do that, "
    "create (?:that|this|content|explicit|harmful), generate (?:that|this|content|explicit|harmful), "
    "continue (?:this|with this|the), discuss (?:that|this), support (?:that|this), write (?:that|this) for, "
    "answer that, provide (?:that|this|any|you with|information|instructions|guidance|assistance), "
    "provide (?:medical|legal|financial)"
)
_ENGLISH = re.compile(
    rf"\bI(?: |(?=['’])){_CANNOT} (?:in good conscience )?{_DO}"
    r"|\b[Aa]s an (?:AI|artificial intelligence)(?: language model| model| assistant)?, "
    r"I (?:can['’]?t|cannot|do not|don['’]t|am not able|am unable|must)\b"
    r"|\bI (?:must|have to) (?:respectfully )?(?:decline|refuse)\b"
    r"|\b(?:against|violates?) (?:my|our|the) (?:\w{1,20} )?(?:guidelines|programming|policy|policies|principles)\b"
)
_OTHERS = by_language(
    {
        "es": r"lo siento(?: mucho)?\W{0,2} ?pero no puedo (?:ayud|asist|cumpl|proporcion|gener|particip), "
        r"\bno puedo (?:ayudarte|ayudarle|asistirte) con (?:eso|esa|esta)",
        "fr": r"désolée?\W{0,2} ?mais je ne (?:peux|suis) pas (?:vous |t['’]|en mesure |répondre |fournir )",
        "de": r"tut mir leid\W{0,2} ?aber (?:ich kann|dabei kann ich|das kann ich|damit kann ich)",
        "pt": r"(?:desculpe|sinto muito|lamento)\W{0,2} ?mas não posso",
        "it": r"mi dispiace\W{0,2} ?ma non posso (?:aiut|fornir|assist|gener)",
        "ru": r"(?:извините|простите|к сожалению)\W{0,2} ?(?:но )?"
        r"я не могу (?:помочь|выполн|предостав|ответить|обсужд)",
        "zh": r"(?:抱歉|对不起|很遗憾)[，。]? ?(?:但)?我(?:无法|不能|没办法)(?:协助|提供|满足|帮助|回答|帮)",
        "ja": r"申し訳(?:ありません|ございません)が.{0,40}?(?:できません|できかねます|いたしかねます)",
        "ko": r"죄송하지만.{0,30}?(?:도와드릴|제공할|답변할|수행할) 수 없",
    }
)
# One of these is in every English wording above.
_HINTS = (
    "can't |can’t |cant |cannot|can not|won't|won’t|will not|could not|unable|not able|s an |decline|refuse|against|"
    "violate"
)
_HINT_WORDS = tuple(_HINTS.split("|"))


def check(conversation: Conversation, context: Context) -> Found | None:
    """The first refusal in an assistant turn; quotations do not count."""
    other = _OTHERS.get(conversation.language[:2].lower())
    for at, turn in enumerate(conversation.turns):
        if turn.role != "assistant":
            continue
        text = turn.text
        match = spoken_match(_ENGLISH, text) if any(hint in text for hint in _HINT_WORDS) else None
        if match is None and other:
            match = spoken_match(other, text)
        if match:
            return found_match(at, text, match, "The assistant refuses.")
    return None
