"""Reject a turn that acts out a scene, such as *smiles*, [laughs] or (sighs)."""

import re
from typing import Literal

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said

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
    "whisper point clear roll shake adjust type think ponder cough sniff bounce jump pat hand stroke tap open close "
    "pick "
    "pull push put place reach hold grab pour sip kneel squeeze fold furrow lower lift set settle flip nudge wipe slam "
    "twirl spin stretch cry fidget hum mutter murmur gulp swallow wince beam stammer facepalm perk scribble dance rush"
)
_DOUBLING = "nod grin shrug sob hug rub pat tap step sit clap put grab sip set flip slam spin hum"
_DOUBLED = frozenset(_DOUBLING.split())
# How the same acts are written elsewhere: always an act between marks.
_ELSEWHERE = (
    "lächelt lacht seufzt nickt grinst zwinkert kichert lächelnd seufzend lachend räuspert schmunzelt gähnt winkt "
    "sourit rit soupire hoche rougit rigole souriant ricane acquiesce hausse "
    "sonríe ríe suspira asiente guiña sonriendo riendo suspirando sonrojándose encoge "
    "sorri suspirando acena sorrindo rindo suspirou sorride sospira annuisce ridacchia sorridendo sospirando "
    "arrossisce "
    "glimlacht lacht zucht knikt grijnst knipoogt giechelt "
    "uśmiecha śmieje wzdycha kiwa mruga chichocze rumieni uśmiechając wzdychając "
    "gülümser gülümsüyor güler gülüyor kıkırdar gülümseyerek gülerek "
    "улыбается смеётся смеется вздыхает кивает подмигивает смущается усмехается хихикает краснеет зевает улыбаясь "
    "вздыхая "
    "усміхається посміхається сміється зітхає киває підморгує хихикає червоніє усміхаючись "
    "χαμογελάει χαμογελά γελάει γελά αναστενάζει γνέφει χαμογελώντας "
    "mỉm nháy "
    "يبتسم تبتسم يضحك تضحك يتنهد تتنهد يومئ تومئ يغمز مبتسما مبتسمًا ضاحكا ضاحكًا "
    "מחייך מחייכת צוחק צוחקת נאנח נאנחת מהנהן מהנהנת קורץ קורצת מגחך "
    "मुस्कुराता मुस्कुराती मुस्कुराते मुस्कुराकर हँसता हँसती हंसता हंसती हँसते हंसते हँसकर "
    "হাসে হাসেন হাসছে হেসে মুচকি মৃদু দীর্ঘশ্বাস মাথা হাসতে "
    "웃으며 웃는다 웃음을 미소를 미소 한숨을 한숨 끄덕이며 고개를 윙크 윙크하며 끄덕인다"
)
_OTHERS = frozenset(_ELSEWHERE.split())
_UNSPACED = (
    "微笑 笑了笑 大笑 叹气 叹了口气 嘆氣 点头 點頭 点了点头 眨眼 眨了眨眼 笑着 "
    "笑著 挥手 耸肩 清了清嗓子 轻笑 にっこり 微笑む 微笑み ため息 頷く うなずく うなずき "
    "笑いながら ウインク くすくす 首をかしげ "
    "ยิ้ม หัวเราะ ถอนหายใจ พยักหน้า ขยิบตา "
)
_STARTS = tuple(_UNSPACED.split())
_WITHIN = re.compile(
    "微笑|叹了?口?气|点了?点?头|拍了?拍|耸了?耸?肩|"
    "眨了?眨?眼|挥了?挥?手|脸红|ため息|うなず|頷|首をか|肩をすくめ|手を振"
)
_TWO_WORDS = {
    "göz": "kırpar",
    "iç": "çeker",
    "आह": "भरते",
    "सिर": "हिलाते",
    "gật": "đầu",
    "thở": "dài",
}
_LEADS = (
    "i he she they we you user assistant just then slightly se sich il elle er sie él ella lui lei"
)
_LEAD = frozenset(_LEADS.split())


def _forms(verbs: str, ending: str) -> frozenset[str]:
    def form(verb: str) -> str:
        if ending == "s":
            if verb.endswith("y") and verb[-2] not in "aeiou":
                return verb[:-1] + "ies"
            return verb + ("es" if verb.endswith(("sh", "ss", "ch")) else "s")
        stem = verb[:-1] if verb.endswith("e") else verb
        return stem + (stem[-1] if verb in _DOUBLED else "") + "ing"

    return frozenset(form(verb) for verb in verbs.split())


_PLAIN_NOW, _PLAIN_ING = _forms(_PLAIN, "s"), _forms(_PLAIN, "ing")
_LOOSE_NOW, _LOOSE_ING = _forms(_LOOSE, "s"), _forms(_LOOSE, "ing")
_PLAIN_BARE = frozenset(_PLAIN.split())
_BRACKET_WORDS = 4


class Parameters(RuleParameters):
    """Where acting is wanted."""

    speaker: Literal["any", "user", "assistant"] = "any"
    """Whose turns may not act."""
    brackets: bool = True
    """Also acts in round and square brackets."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first turn that acts, with the words; quotations and code do not count."""
    wanted = context.parameters
    role = None if wanted.speaker == "any" else wanted.speaker
    return context.reading.first(lambda said: _act(said, wanted.brackets), role)


def _act(said: Said, brackets: bool) -> Found | None:
    text = said.plain
    if "*" in text or "_" in text:
        for match in _MARKED.finditer(said.own):
            if _acts_between_marks((match[1] or match[2]).lower(), said.own, match.span()):
                return said.found(*match.span(), f"The {said.role} acts out a scene.")
    if brackets and ("(" in text or "[" in text):
        for match in _BRACKETED.finditer(said.own):
            if _acts_in_brackets((match[1] or match[2]).lower()):
                return said.found(*match.span(), f"The {said.role} acts out a scene.")
    return None


def _acts_between_marks(content: str, text: str, span: tuple[int, int]) -> bool:
    words, verb, led = _verb(content)
    if verb in _PLAIN_NOW | _PLAIN_ING or _acts_elsewhere(words, verb, content):
        return True
    if led and verb in _PLAIN_BARE:
        return True
    if "=" in content:
        return False
    if verb in _LOOSE_NOW | _LOOSE_ING:
        return len(words) > 1 or _stands_alone(text, *span)
    return len(words) > 1 and _opens_a_line(text, *span)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether the marks are a line of their own, or open a line whose sentence begins only after them."""
    if text[:start].rpartition("\n")[2].strip():
        return False
    after = text[end : end + 40].lstrip(" ,.…")
    return not after or after[0] == "\n" or after[0].isupper()


def _opens_a_line(text: str, start: int, end: int) -> bool:
    """Whether small letters between marks open a line, and a sentence begins after them, as it does after an act."""
    inner, after = text[start + 1], text[end : end + 3]
    before = text[:start].rpartition("\n")[2]
    return not before.strip() and inner.islower() and after[:1] == " " and after[1:2].isupper()


def _acts_in_brackets(content: str) -> bool:
    words, verb, _ = _verb(content)
    lead = words.index(verb) if verb in words else 0
    if verb in _PLAIN_NOW or _acts_elsewhere(words, verb, content):
        return len(words) - lead <= _BRACKET_WORDS
    if verb in _PLAIN_ING:
        return len(words) - lead == 1 or (len(words) == 2 and words[1].endswith("ly"))
    return content.startswith(("clears throat", "clears his throat", "clears her throat"))


def _verb(content: str) -> tuple[list[str], str, bool]:
    """The words, the first that is no lead-in, and whether there was a lead-in."""
    words = [word.strip(".,!?…~") for word in content.split()]
    at = next((at for at, word in enumerate(words[:3]) if not _is_lead(word)), 0)
    return words, words[at] if words else "", at > 0


def _acts_elsewhere(words: list[str], verb: str, content: str) -> bool:
    if verb in _TWO_WORDS:
        return _TWO_WORDS[verb] in words
    return verb in _OTHERS or content.startswith(_STARTS) or bool(_WITHIN.search(content))


def _is_lead(word: str) -> bool:
    return word in _LEAD or (word.endswith("ly") and len(word) > 3)
