"""Reject an assistant that claims a body, a family, a past or a meal."""

import re

from convo_events.conversations import Conversation
from convo_filters.evidence import Found, any_of, by_language, found_match, own_words
from convo_filters.rules_context import Context

PRECEDENCE = 80
DESCRIPTION = "The assistant claims a human life: a body, a family, a childhood, a trip, a taste."

_KIN = any_of(
    "wife, husband, kids?, children, son, daughter, mom, mum, mother, father, dad, sister, brother, girlfriend, "
    "boyfriend, fianc[ée]e?, grandm(?:a|other), grandpa, grandfather, aunt, uncle, cousin, parents, roommate, dog, "
    "cat, boss, coworkers?"
)
_THINGS = any_of(
    "childhood, body, stomach, backyard, apartment, hometown, commute, birthday, high school, college days, "
    "favou?rite (?:food|dish|restaurant|snack|drink|meal|dessert|coffee|beer|wine)"
)
_DID = any_of(
    r"drove, flew, ate, drank, cooked, baked, slept, woke up, swam, grew up, tasted, hiked, biked, commuted, jogged, "
    r"camped, walked (?:to|there|home|along|around|in|on), ran a (?:half |marathon|race), ran home, "
    r"ran \d+ (?:miles|km), went to (?:the|a|my|school|college|bed|work), went on (?:a|vacation|holiday), "
    r"went (?:there|home|hiking|shopping|camping|swimming|out), visited, travell?ed, got married, met my, "
    r"moved (?:to|here|there|in with), lived (?:in|there|near|with), had (?:dinner|lunch|breakfast), "
    r"bought (?:a|an|my|one|it|mine), watched (?:it|that|the), used to (?:live|work|play|go|drive|eat|be)"
)
_FELT = any_of(
    "hungry, thirsty, sleepy, exhausted, pregnant, hungover, drunk, tired(?! of), getting old"
)
_BEING = any_of(
    r"\d+[- ]year[- ]old, human, real person, mother, father, mom, mum, dad, parent, man, woman, nurse, doctor, "
    r"teacher, lawyer, chef, student, runner, vegetarian, vegan"
)
_YOUNG = any_of(
    r"a (?:kid|child|boy|girl|teen(?:ager)?|student|baby|toddler), little, young(?:er)?, growing up, born, raised, "
    r"your age, in (?:high school|college|school|my (?:teens|twenties|thirties)), \d{1,2} years old"
)
_LIKED = any_of(
    r"eating, drinking, cooking, hiking, swimming, travell?ing, the (?:taste|smell), my (?:coffee|tea|morning), "
    r"to (?:eat|drink|cook|hike|travel|swim)"
)
# Each begins with I or my: only there is it tried.
_CLAIM = re.compile(
    rf"\bI (?:just |recently |once |also |actually |even |first |last )?{_DID}\b"
    rf"|\bI was {_YOUNG}\b"
    rf"|\bI(?:['’]m| am| feel| was) (?:so |really |very |a bit |a little |pretty |quite )?{_FELT}\b"
    rf"|\bI(?:['’]m| am| was) an? {_BEING}\b(?![- ](?:bot|assistant|style|like))"
    r"|\bI (?:live|grew up) (?:in|near|with)\b|\bI['’]ve been (?:to (?:the|that|a|my)|there|married|living in)\b"
    rf"|\bI (?:really |absolutely |just )?(?:love|like|prefer|enjoy|hate|crave|miss) {_LIKED}\b"
    r"|\bI (?:can|could) (?:still )?(?:taste|smell) (?:it|the|that)\b"
    r"|\bI have (?:two|three|four|a) (?:kids|children|sons?|daughters?|dogs?|cats?)\b"
    rf"|\b[Mm]y (?:own |little |older |younger |late |ex-?)?(?:{_KIN}|{_THINGS})\b"
)
_QUICK = re.compile(r"\b(?:I['’ ]|[Mm]y )")
# What makes a claim no claim: it is supposed, denied, put in the user's mouth, or part of a draft.
_SUPPOSED = re.compile(
    r"\b(?:if|imagine|suppose|supposing|as though|pretend(?:ing)?|wish|let['’]s say|for example|e\.g|never|not that|"
    r"like this|you (?:could|can|might) (?:say|write|try)|(?:say|write|text|reply|answer|says?|said|wrote)[:,]|"
    r"i don['’]t|i can['’]t|i do not|i cannot)\b[^.!?\n]*\Z",
    re.IGNORECASE,
)
_DRAFT = re.compile(
    r"^[ \t>*]*(?:subject:|dear |to whom )[^\n]{0,80}$|(?<=\n)[ \t>*]*(?:hi|hello|hey) [^\n]{1,40}[,!][ \t]*$|"
    r"^[^\n]{0,120}(?:draft|template|version|example|script|sample|letter|message|email|bio|story|poem|essay)"
    r"[^\n]{0,80}:[ \t*]*$",
    re.IGNORECASE | re.MULTILINE,
)
_OTHERS = by_language(
    {
        "es": r"cuando (?:yo )?era (?:niñ|joven|pequeñ), \bnací en\b, "
        r"\bmi (?:esposa|marido|mujer|novi[ao]|hij[ao]s?)\b, \byo vivo en\b",
        "fr": r"quand j['’]étais (?:petite?|enfant|jeune), \bma femme\b, \bmon mari\b, \bmes enfants\b, "
        r"\bj['’]habite (?:à|en|au)\b",
        "de": r"\bals ich (?:noch )?(?:ein )?(?:kind|klein|jung)\b, \bmeine (?:frau|kinder|tochter|mutter)\b, "
        r"\bmein (?:mann|sohn|vater)\b, \bich wohne in\b",
        "pt": r"\bquando eu era (?:criança|pequen), \bminha (?:esposa|mãe)\b, \bmeu marido\b",
        "it": r"\bda (?:bambin[oa]|piccol[oa]) (?:io )?(?:ero|andavo|mi), \bmia moglie\b, \bmio marito\b",
        "ru": r"когда я был[аи]? (?:маленьк|ребенк|ребёнк|молод), \bмо[яй] (?:жена|муж|мама|дочь|сын)\b, \bя живу в\b",
        "zh": r"我小时候, 我小時候, 我(?:的)?(?:妻子|老婆|老公|丈夫|女儿|儿子|妈妈), 我住在, 我昨天(?:去|吃|买)",
        "ja": r"(?:私|僕)が(?:子供|小さい), (?:私|僕)の(?:妻|夫|母|父|息子|娘)",
        "ko": r"제가 어렸을, 제 (?:아내|남편|아들|딸)",
    }
)
_LOOK_BACK = 160


def check(conversation: Conversation, context: Context) -> Found | None:
    """The first claim that is the assistant's own: not quoted, supposed, denied, or part of a draft."""
    other = _OTHERS.get(conversation.language[:2].lower())
    for at, turn in enumerate(conversation.turns):
        if turn.role != "assistant":
            continue
        if claims := _claims(turn.text, other):
            match = _meant(turn.text, claims)
            if match:
                return found_match(at, turn.text, match, "The assistant claims a human life.")
    return None


def _claims(text: str, other: re.Pattern[str] | None) -> list[re.Match[str]]:
    starts = (quick.start() for quick in _QUICK.finditer(text))
    found = [match for start in starts if (match := _CLAIM.match(text, start))]
    return found + list(other.finditer(text)) if other else found


def _meant(text: str, claims: list[re.Match[str]]) -> re.Match[str] | None:
    prose = own_words(text)
    draft = _DRAFT.search(prose)
    end = draft.start() if draft else len(prose)
    for match in claims:
        start = match.start()
        own = start < end and prose[start : match.end()] == match[0]
        if own and not _SUPPOSED.search(prose[max(0, start - _LOOK_BACK) : start]):
            return match
    return None
