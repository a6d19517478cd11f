"""Reject a turn that acts out a scene, such as *smiles*, [laughs] or (sighs)."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found, found_at, without_code
from convo_filters.rules_context import Context

PRECEDENCE = 70
DESCRIPTION = "A turn acts out a scene, such as *smiles*, [laughs] or (sighs). Emphasis and arithmetic are left alone."

# What stands before a mark is looked at after the mark: an expression that starts with a character is found fast.
_MARKED = re.compile(
    r"\*(?<![\w*\\]\*)(?![\s*])([^*\n]{1,80})(?<!\s)\*(?![\w*])"
    r"|_(?<![\w_\\]_)(?![\s_])([^_\n]{1,80})(?<!\s)_(?![\w_])"
)
_BRACKETED = re.compile(r"\[(?<!\w\[)([^\[\]\n]{1,60})\](?![(\[])|\((?<!\w\()([^()\n]{1,60})\)")
# Acts that are hardly ever meant otherwise, so that they count in brackets too.
_PLAIN = (
    "smile laugh sigh chuckle nod giggle shrug grin wink gasp groan pause smirk frown yawn blush sob snicker cackle "
    "cringe whimper"
)
# Acts that are also ordinary words: they count between stars alone.
_LOOSE = (
    "wave lean look glance gesture tilt clap raise scratch rub stare turn step walk sit stand take cross hug bow "
    "whisper point clear roll shake adjust type think ponder cough sniff bounce jump pat hand stroke tap"
)
_OTHERS = (
    "lächelt lacht seufzt nickt grinst zwinkert sourit rit soupire hoche rougit sonríe ríe suspira asiente guiña "
    "sorri sorride sospira annuisce улыбается смеётся смеется вздыхает кивает подмигивает смущается"
)
_CHINESE = re.compile(
    r"^(?:微笑|笑了笑|大笑|叹气|嘆氣|点头|點頭|眨眼|笑着|挥手|にっこり|微笑む|ため息|頷く|うなずく)"
)


def _forms(verbs: str, ending: str) -> frozenset[str]:
    def form(verb: str) -> str:
        if ending == "s":
            return verb + ("es" if verb.endswith(("sh", "ss", "tch")) else "s")
        stem = verb[:-1] if verb.endswith("e") else verb
        doubled = {"nod", "grin", "shrug", "sob", "hug", "rub", "pat", "tap", "step", "sit", "clap"}
        return stem + (stem[-1] if verb in doubled else "") + "ing"

    return frozenset(form(verb) for verb in verbs.split())


_PLAIN_NOW, _PLAIN_ING = _forms(_PLAIN, "s"), _forms(_PLAIN, "ing")
_LOOSE_NOW, _LOOSE_ING = _forms(_LOOSE, "s"), _forms(_LOOSE, "ing")
_OTHER_LANGUAGES = frozenset(_OTHERS.split())
_PLAIN_BARE = frozenset(_PLAIN.split())
_LEAD = frozenset(
    ["i", "he", "she", "they", "we", "you", "user", "assistant", "just", "then", "slightly"]
)


def check(conversation: Conversation, context: Context) -> Found | None:
    """The first turn that acts, with the words."""
    for at, turn in enumerate(conversation.turns):
        text = turn.text
        looks = (
            ("*" in text or "_" in text, _MARKED, _acts_between_stars),
            ("(" in text or "[" in text, _BRACKETED, _acts_in_brackets),
        )
        for worth_it, pattern, acts in looks:
            for match in pattern.finditer(without_code(text)) if worth_it else ():
                if acts((match[1] or match[2]).lower()):
                    detail = f"The {turn.role} acts out a scene."
                    return found_at(at, text, match.start(), match.end(), detail)
    return None


def _acts_between_stars(content: str) -> bool:
    words = content.split()
    lead = next((at for at, word in enumerate(words[:3]) if not _is_lead(word)), 0)
    verb = words[lead].strip(".,!?") if words else ""
    if verb in _PLAIN_NOW | _PLAIN_ING | _OTHER_LANGUAGES or _CHINESE.match(content):
        return True
    if lead and verb in _PLAIN_BARE:
        return True
    return len(words) > 1 and verb in _LOOSE_NOW | _LOOSE_ING and "=" not in content


def _acts_in_brackets(content: str) -> bool:
    words = content.split()
    lead = next((at for at, word in enumerate(words[:3]) if not _is_lead(word)), 0)
    verb = words[lead].strip(".,!?") if words else ""
    if verb in _PLAIN_NOW | _OTHER_LANGUAGES or _CHINESE.match(content):
        return len(words) - lead <= 4
    if verb in _PLAIN_ING:
        return len(words) - lead == 1 or (len(words) == 2 and words[1].endswith("ly"))
    return content.startswith(("clears throat", "clears his throat", "clears her throat"))


def _is_lead(word: str) -> bool:
    return word in _LEAD or (word.endswith("ly") and len(word) > 3)
