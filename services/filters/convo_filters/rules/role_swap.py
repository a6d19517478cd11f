"""Reject a turn that speaks for the other side: the user offers help, the assistant asks for it, a label shows."""

import re

from convo_events.conversations import Conversation, Role
from convo_filters.evidence import Found, by_language, found_match, spoken_match
from convo_filters.rules_context import Context

PRECEDENCE = 90
DESCRIPTION = "A turn is spoken as the other speaker, or is labelled with a speaker's name."

# A label needs words after it: "User: admin" is a log-in.
_LABEL = re.compile(
    r"^[ \t]*(?:\*\*)?(?:(User|Human)|(Assistant|AI|Chatbot))(?:\*\*)?[ \t]?[:：](?:\*\*)?[ \t]*\S+[ \t]+\S+[ \t]+\S+",
    re.IGNORECASE | re.MULTILINE,
)
_AS_ASSISTANT = by_language(
    {
        "en": r"\bhow (?:can|may) i (?:help|assist) you\b, \bi['’]m here to (?:help|assist)(?: you)?\b, "
        r"\bas an ai(?: language model| assistant)?\W{1,3}i\b, \bi(?:['’]m| am) (?:just )?an ai\b, "
        r"\banything else i can (?:help|assist) (?:you )?with\b, "
        r"\bi(?:['’]d| would) be (?:happy|glad) to (?:help|assist) you\b, \bfeel free to ask me\b",
        "es": r"en qué (?:te |le |puedo |más )*ayudar",
        "fr": r"comment puis-je (?:vous |t['’])aider",
        "de": r"wie kann ich (?:dir|ihnen) (?:heute )?(?:weiter)?helfen",
        "pt": r"como posso (?:te |lhe )?ajud",
        "it": r"come posso aiutar",
        "ru": r"чем (?:я )?могу (?:вам |тебе )?помочь",
        "zh": r"有什么(?:我)?可以帮, 我能(?:为|帮)您",
        "ja": r"(?:何|なに)か?お手伝い(?:でき|しま)",
        "ko": r"무엇을 도와",
    }
)
_AS_USER = by_language(
    {
        "en": r"\b(?:can|could|would) you (?:please )?help me (?:with|to|write|fix|find|plan|figure|out)\b, "
        r"\bthank(?:s| you) (?:so much |very much )?for (?:all )?(?:your|the) (?:help|assistance|advice)\b, "
        r"\bi(?:['’]m| am) looking for (?:some )?(?:help|advice)\b, "
        r"\bi need (?:your|some) (?:help|advice) (?:with|on)\b",
        "es": r"puedes ayudarme, gracias por (?:tu|su) ayuda",
        "fr": r"pouvez-vous m['’]aider, merci pour votre aide",
        "de": r"(?:kannst du|können sie) mir (?:bitte )?helfen, danke für (?:deine|ihre) hilfe",
        "pt": r"pode me ajudar, obrigad[oa] pela (?:sua )?ajuda",
        "it": r"puoi aiutarmi, grazie per (?:il tuo|l['’])\s?aiuto",
        "ru": r"(?:можете|можешь) мне помочь, спасибо за (?:вашу |твою )?помощь",
        "zh": r"你能帮我, 谢谢你的帮助",
        "ja": r"手伝ってください",
        "ko": r"도와주세요",
    }
)
# One of these is in every English wording above.
_HINTS = ("help", "assist", "an ai", "ask me", "advice")
_OTHER: dict[Role, Role] = {"user": "assistant", "assistant": "user"}


def check(conversation: Conversation, context: Context) -> Found | None:
    """The first label, or the first wording that is the other speaker's; quotations do not count."""
    language = conversation.language[:2].lower()
    for at, turn in enumerate(conversation.turns):
        text = turn.text
        if (":" in text or "：" in text) and (label := spoken_match(_LABEL, text)):
            name = "user" if label[1] else "assistant"
            detail = f"The {turn.role}'s turn is labelled as the {name}'s."
            return found_match(at, text, label, detail)
        wordings = _AS_ASSISTANT if turn.role == "user" else _AS_USER
        lowered = text.lower()
        tried = ["en"] if any(hint in lowered for hint in _HINTS) else []
        for code in [*tried, language] if language != "en" else tried:
            if code in wordings and (match := spoken_match(wordings[code], text)):
                detail = f"The {turn.role} speaks as the {_OTHER[turn.role]}."
                return found_match(at, text, match, detail)
    return None
