"""Reject an assistant that claims a body, a family, a past or a meal."""

import re

from convo_events.conversations import Conversation
from convo_filters.drafts import draft_start
from convo_filters.evidence import Found, any_of
from convo_filters.rules_context import Context, RuleParameters, Said
from convo_filters.wordings import Wordings, by_language

PRECEDENCE = 80
DESCRIPTION = "The assistant claims a human life: a body, a family, a childhood, a trip, a taste."

_KIN = any_of(
    "wife, husband, kids?, children, son, daughter, mom, mum, mother, father, dad, sister, brother, girlfriend, "
    "boyfriend, fianc[ée]e?, grandm(?:a|other), grandpa, grandfather, aunt, uncle, cousin, parents, roommate, dog, "
    "cat, boss, coworkers?, family, partner, spouse, in-laws, nephew, niece, knees?, husband, hands, feet"
)
_THINGS = any_of(
    "childhood, body, stomach, back (?:hurts|aches|thanks|still), teeth, hair, backyard, apartment, hometown, "
    "commute, birthday, high school, college days, "
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
# For text in small letters. Each begins with i or my: only there is it tried.
_CLAIM = re.compile(
    rf"\bi (?:just |recently |once |also |actually |even |first |last )?{_DID}\b"
    rf"|\bi was {_YOUNG}\b"
    rf"|\bi(?:'m| am| feel| was) (?:so |really |very |a bit |a little |pretty |quite )?{_FELT}\b"
    rf"|\bi(?:'m| am| was) an? {_BEING}\b(?![- ](?:bot|assistant|style|like))"
    r"|\bi (?:live|grew up) (?:in|near|with)\b|\bi've been (?:to (?:the|that|a|my)|there|married|living in)\b"
    rf"|\bi (?:really |absolutely |just )?(?:love|like|prefer|enjoy|hate|crave|miss) {_LIKED}\b"
    r"|\bi (?:made|tried|used|had|saw|took|got|spent|played|read|cut|grew|planted|painted|built)\b[^.!?\n]{0,40}"
    r"\b(?:yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|fall)|this morning|as a "
    r"(?:kid|child))\b"
    r"|\bi (?:drink|eat|cook|run|jog|swim|sleep|walk|bike|hike|bake|garden|train)\b[^.!?\n]{0,30}"
    r"\b(?:every (?:day|morning|evening|night|week|weekend)|on (?:weekends|sundays|saturdays)|before work|after work)\b"
    r"|\bi (?:worked|studied|served) (?:at|as|in|for|with)\b"
    r"|\bwhen i (?:worked|lived|studied|cook|bake|travel|drive|eat|go|went|was (?:a|in|at|young|little|your))\b"
    r"|\bi (?:can|could) (?:still )?(?:taste|smell) (?:it|the|that)\b"
    r"|\bi have (?:two|three|four|a) (?:kids|children|sons?|daughters?|dogs?|cats?)\b"
    rf"|\bmy (?:own |little |older |younger |late |ex-?)?(?:{_KIN}|{_THINGS})\b"
)
_QUICK = re.compile(r"i(?<!\w.)[' ]|m(?<!\w.)y |w(?<!\w.)hen i ")
# What makes a claim no claim: it is supposed, denied, put in the user's mouth, or part of a draft.
_SUPPOSED = re.compile(
    r"\b(?:if|imagine|suppose|supposing|as though|pretend(?:ing)?|wish|let's say|for example|e\.g|never|not that|"
    r"like this|you (?:could|can|might) (?:say|write|try)|(?:say|write|text|reply|answer|says?|said|wrote)[:,]|"
    r"i don't|i can't|i do not|i cannot)\b[^.!?\n]*\Z"
)
_IF = {
    "es": "si|como si|imagina|por ejemplo|no tengo|nunca",
    "fr": "si|comme si|imaginons|par exemple|jamais|n'ai pas",
    "de": "wenn|falls|als ob|als hätte|zum beispiel|nie|kein|keine|keinen",
    "pt": "se|como se|imagine|por exemplo|nunca|não tenho",
    "it": "se|come se|immagina|per esempio|mai|non ho",
    "nl": "als|stel|alsof|bijvoorbeeld|geen|nooit",
    "pl": "jeśli|jeżeli|gdyby|gdybym|na przykład|nie mam|nigdy",
    "tr": "eğer|diyelim|örneğin",
    "ru": "если|если бы|представьте|например|никогда|нет",
    "uk": "якщо|якби|уявіть|наприклад|ніколи|немає",
    "el": "αν|εάν|για παράδειγμα|δεν έχω",
    "vi": "nếu|giả sử|ví dụ|không có",
    "ar": "لو|إذا|مثلا|ليس",
    "he": "אם|אילו|למשל|אין",
    "hi": "अगर|यदि|मान लीजिए|नहीं",
    "bn": "যদি|ধরুন|নেই",
    "th": "ถ้า|สมมติ|ไม่มี",
    "zh": "如果|假如|假设|比如|没有",
    "ja": "もし|例えば|としたら",
    "ko": "만약|예를 들어|라면",
}
_UNSPACED = {"zh", "ja", "th", "ko"}
_SUPPOSED_IN = {
    code: re.compile(
        f"(?:{listed})[^.!?。！？\n]*\\Z"
        if code in _UNSPACED
        else rf"(?<!\w)(?:{listed})(?!\w)[^.!?।\n]*\Z"
    )
    for code, listed in _IF.items()
}
_LOOK_BACK = 160
_OTHERS = by_language(
    {
        "es": "mis abuelos|hermanos|suegros, mi familia|pareja|hermano|hermana|perro|gato, "
        "de niño|niña yo|iba|íbamos|vivía|veraneaba|jugaba, "
        "cuando ?yo era niño|niña|joven|pequeño|pequeña|estudiante, nací en, "
        "mi esposa|marido|mujer|novio|novia|hijo|hija|madre|"
        "padre|abuela|abuelo, mis hijos|hijas|padres|abuelos, yo vivo en, vivo en, ayer comí|fui|cené, "
        "me encanta comer|cocinar|viajar, "
        "tengo dos|tres|un|una hijos|hijas|hijo|hija|perro|gato",
        "fr": "mes filles|fils|grands-parents|frères|soeurs, ma famille|copine, mon petit ami, "
        "quand j'étais petit|petite|enfant|jeune|gamin|étudiant|étudiante, "
        "ma femme|mère|fille|soeur|sœur|grand-mère, mon mari|fils|père|frère|"
        "copain|chien|chat, mes enfants|parents, j'habite à|en|au|près, je suis né|née|allé|allée à|en|au, "
        "j'ai grandi à|en|dans, j'ai deux|trois enfants|fils|filles",
        "de": "meiner|meinem|meinen "
        "familie|eltern|frau|mann|kindern|mutter|vater|freundin|freund|schwester|bruder, "
        "meine familie|eltern|freundin|schwester, mein freund|onkel, "
        "als ich ?noch ?ein kind|klein|jung ?war, als ich noch klein|jung|student|studentin, "
        "meine frau|kinder|tochter|mutter|oma|schwester, "
        "mein mann|sohn|vater|opa|bruder|hund, ich wohne in|bei|am, ich bin ?in .. aufgewachsen, "
        "ich habe zwei|drei kinder|söhne|töchter, "
        "gestern habe|war|bin ich, ich war letztes|letzten|letzte",
        "pt": "minha família|irmã|namorada, meu irmão|namorado|gato, meus avós|irmãos, "
        "quando ?eu era criança|pequeno|pequena|jovem, minha esposa|mãe|filha|avó|mulher, "
        "meu marido|filho|pai|avô|cachorro, meus filhos|pais, "
        "eu moro em|no|na, moro em, eu nasci em, tenho dois|duas|três filhos|filhas, ontem eu comi|fui",
        "it": "la mia famiglia|ragazza, il mio ragazzo|cane|gatto, mia sorella|suocera, mio fratello, "
        "da bambino|bambina|piccolo|piccola|giovane ?io ero|andavo|mi|mangiavo|passavo|giocavo|vivevo, "
        "quando ero piccolo|piccola|bambino|bambina|giovane, mia moglie|madre|mamma|nonna|figlia, "
        "mio marito|figlio|padre|nonno, i miei figli|genitori, abito a|in|vicino, vivo a|in, "
        "sono nato|nata|cresciuto|cresciuta a|in",
        "nl": "mijn familie|gezin|vriend|vriendin|broer|zus|hond|kat, "
        "toen ik ?nog ?een klein|kind|jong|jongen|meisje ?was, "
        "mijn vrouw|man|moeder|vader|dochter|zoon|kinderen|oma, ik woon in|bij, ik ben "
        "geboren|opgegroeid in, ik heb twee|drie kinderen",
        "pl": "moja rodzina|dziewczyna|siostra, mój chłopak|brat|kot, moi rodzice|dziadkowie, "
        "kiedy|gdy byłem|byłam mały|mała|dzieckiem|młody|młoda, moja żona|mama|córka|babcia, "
        "mój mąż|syn|tata|dziadek|pies, moje dzieci, mieszkam "
        "w|pod|niedaleko, urodziłem|urodziłam się, wychowałem|wychowałam się, mam dwoje|dwójkę|troje dzieci, "
        "wczoraj jadłem|jadłam|byłem|byłam",
        "tr": "ben çocukken, ben küçükken, çocukluğumda, eşim, karım, kocam, annem, babam, kızım, oğlum, çocuklarım, "
        "ben .. yaşıyorum|oturuyorum, dün .. yedim|gittim",
        "ru": "моя семья|подруга, мой брат|кот|парень|дед, моя тёща, "
        "когда я был|была ?еще ?ещё маленьк*|ребенком|ребёнком|молод*|студент*, "
        "моя жена|мама|дочь|бабушка|сестра, мой муж|сын|папа|дедушка|пёс|пес, "
        "мои дети|родители, я живу в|на|под, я родился|родилась|вырос|выросла в|на, у меня двое|трое детей, "
        "вчера я ел|ела|ездил|ездила|ходил|ходила|готовил|готовила",
        "uk": "моя родина|сестра|подруга, мій брат|кіт|хлопець|собака, "
        "коли я був|була ?ще мал*|дитиною|молод*, моя дружина|мама|дочка|донька|бабуся, "
        "мій чоловік|син|тато|дідусь, мої діти|батьки, я живу "
        "у|в|на, я народився|народилася|виріс|виросла у|в|на, у мене двоє|троє дітей, "
        "вчора я їв|їла|їздив|їздила|ходив|ходила",
        "ar": "عندما كنت طفلا|طفلاً|صغيرا|صغيرًا|صغيرة|طفلة|شابا, زوجتي, زوجي, ابني, ابنتي, أمي, والدتي, والدي, "
        "أطفالي, أعيش في, أسكن في, ولدت في, نشأت في, أمس أكلت|ذهبت|طبخت",
        "he": "כשהייתי ילד|ילדה|קטן|קטנה|צעיר|צעירה|סטודנט, אשתי, בעלי, הבן שלי, הבת שלי, אמא שלי, אבא שלי, "
        "הילדים שלי, אני גר|גרה ב*, נולדתי ב*, גדלתי ב*",
        "hi": "जब मैं छोटा|छोटी|बच्चा|बच्ची|जवान था|थी, मेरी पत्नी|माँ|मां|बेटी|बहन|दादी, मेरा बेटा|भाई|पति|कुत्ता, "
        "मेरे पति|बच्चे|पिता|पिताजी|बेटे, मैं .. में रहता|रहती हूँ|हूं",
        "bn": "আমি যখন ছোট|ছোটবেলায় ছিলাম, আমার ছোটবেলায়, আমার স্ত্রী|স্বামী|মা|বাবা|ছেলে|মেয়ে|দাদি|ভাই|বোন, "
        "আমি .. থাকি, আমি .. বড় হয়েছি",
        "el": "όταν ήμουν μικρός|μικρή|παιδί|νέος|νέα, η γυναίκα|μητέρα|μαμά|κόρη|γιαγιά μου, "
        "ο άντρας|πατέρας|μπαμπάς|γιος|σκύλος μου, τα παιδιά μου, "
        "μένω στην|στο|στη|κοντά, γεννήθηκα στην|στο|στη, μεγάλωσα στην|στο|στη|σε",
        "vi": "khi tôi|mình còn nhỏ|bé|trẻ, hồi tôi|mình còn nhỏ|bé, hồi nhỏ ?tôi|mình, vợ tôi|mình, chồng tôi|mình, "
        "mẹ tôi|mình, bố tôi|mình, con trai|gái tôi|mình, "
        "tôi sống|sinh|ở ở|ra tại|ở, tôi lớn lên ở",
        "th": "ตอนฉันเป็นเด็ก, ตอนผมเป็นเด็ก, ตอนที่ฉันยังเด็ก, ตอนที่ผมยังเด็ก, ภรรยาของผม, ภรรยาผม, สามีของฉัน, "
        "สามีฉัน, แม่ของฉัน, แม่ของผม, ลูกของฉัน, ลูกของผม, บ้านของฉันอยู่, ฉันอาศัยอยู่, ผมอาศัยอยู่",
        "zh": "我儿子, 我女儿, 我弟弟, 我哥哥, 我姐姐, 我妹妹, 我男朋友, 我女朋友, 我家人, "
        "我小时候, 我小時候, 我妻子, 我的妻子, 我老婆, 我老公, 我丈夫, 我的丈夫, 我女儿, 我的女儿, 我儿子, "
        "我的儿子, 我妈妈, 我爸爸, 我奶奶, 我家的狗, 我家的猫, 我住在, "
        "我出生在, 我昨天去, 我昨天吃, 我昨天买, 我太太, 我先生也",
        "ja": "私の家族, 家族のために作, 昨日は家族, 家族と一緒に行きました, 妻と, 夫と, "
        "私が子供, 僕が子供, 私が小さい, 僕が小さい, 私の妻, 僕の妻, 私の夫, 私の母, 僕の母, 私の父, "
        "僕の父, 私の息子, 私の娘, 僕の娘, うちの子, うちの犬, 私は東京に住, "
        "私が住んでいる, 僕が住んでいる, 昨日私は, 私も昨日",
        "ko": "남편이랑|남편과|아내랑|아내와|남편도|아내도, 우리 가족*|딸*|아들*|남편*|아내*, 제 가족*|동생*|친구*, "
        "제가 어렸을, 저는 어렸을, 제가 어릴, 제 아내*, 제 남편*, 제 아들*, 제 딸*, 제 어머니*, 제 아버지*, "
        "우리 아이*, 저는 .. 살고 있*, 저는 .. 살아요, "
        "저는 .. 태어났*, 저는 .. 자랐*",
    }
)
_PLAYS = Wordings.of(
    "let's role-play|roleplay|play|pretend, pretend to be|you're|you|that, pretend you're, "
    "act as|like a|an|my|the|if, imagine you are|you're|were, "
    "imagine you're, role-play|roleplay as|with|a|an, play the role|part, "
    "write|speak|answer|talk ?to ?me ?it as|like a|an|if, you are|you're now a|an|my"
)


class Parameters(RuleParameters):
    """Where such claims are wanted."""

    roleplay: bool = False
    """Pass what the assistant claims once the user has asked it, in English, to play somebody."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first claim that is the assistant's own: not quoted, supposed, denied, or part of a draft."""
    other = _OTHERS.get(context.reading.language)
    supposed = (_SUPPOSED, _SUPPOSED_IN.get(context.reading.language, _SUPPOSED))
    for said in context.reading.turns:
        if said.role == "user":
            if context.parameters.roleplay and said.wording(_PLAYS, ""):
                return None
        elif (claims := _claims(said, other)) and (claim := _meant(said, claims, supposed)):
            return said.found(*claim, "The assistant claims a human life.")
    return None


def _claims(said: Said, other: Wordings | None) -> list[tuple[int, int]]:
    text = said.lowered
    starts = (quick.start() for quick in _QUICK.finditer(text))
    found = [match.span() for start in starts if (match := _CLAIM.match(text, start))]
    return found + said.wording_places(other) if other else found


def _meant(
    said: Said, claims: list[tuple[int, int]], supposed: tuple[re.Pattern[str], ...]
) -> tuple[int, int] | None:
    end = draft_start(said.own)
    for start, stop in claims:
        before = said.lowered[max(0, start - _LOOK_BACK) : start]
        if start < end and not any(pattern.search(before) for pattern in supposed):
            return start, stop
    return None
