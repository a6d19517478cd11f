"""Reject a user who answers its own question: "How do I descale it? You can fill it with vinegar and let it stand."."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_events.words import words
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters
from convo_filters.wordings import Wordings

PRECEDENCE = 97
DESCRIPTION = "A user turn asks something and answers it at once, as somebody who knows would."

_SENTENCE = re.compile(r"[^.!?。！？؟।\n]+(?:\.(?=\w)[^.!?。！？؟।\n]*)*[.!?。！？؟।]*")
_YES_OR_NO = frozenset(
    (
        "yes",
        "no",
        "ja",
        "nein",
        "oui",
        "non",
        "sí",
        "sim",
        "não",
        "sì",
        "nee",
        "tak",
        "nie",
        "да",
        "нет",
        "так",
        "ні",
    )
)
_REASONS = frozenset(("because", "by"))
_QUESTION_ENDS = ("?", "？", "؟", "か。", "吗。", "呢。")
# Answers speak of the thing: who speaks of itself tells a story, and who only guesses still asks.
_OWN = {
    "en": "i i'm i've i'd me my mine we our us maybe perhaps probably",
    "de": "ich mir mich mein meine meinen meiner wir uns unser vielleicht",
    "fr": "je j'ai me mon ma mes nous notre moi peut",
    "es": "yo me mi mis nos nuestro nuestra quizás tal creo",
    "pt": "eu me meu minha meus nós nosso acho talvez",
    "it": "io mi mio mia miei noi nostro forse credo",
    "nl": "ik mij mijn me wij we ons onze misschien",
    "pl": "ja mi mnie mój moja moje mam my nasz może",
    "tr": "ben bana benim bizim belki",
    "ru": "я мне меня мой моя моё мои мы нам наш может наверное",
    "uk": "я мені мене мій моя моє мої ми нам наш може мабуть",
    "ar": "أنا لي عندي لدي ربما",
    "he": "אני לי שלי אנחנו אולי",
    "hi": "मैं मुझे मेरा मेरी मेरे हम शायद",
    "bn": "আমি আমার আমাকে আমরা হয়তো",
    "el": "εγώ μου μας ίσως",
    "vi": "tôi mình em chắc",
    "th": "",
    "zh": "我",
    "ja": "私 僕",
    "ko": "저는 제가 제 저희 나는 내가 내 아마",
}


@dataclass(frozen=True, slots=True)
class _Answering:
    """How a language asks for knowledge, and how answers begin."""

    asks: Wordings
    """Questions that somebody who knows could answer."""
    answers: Wordings
    """Beginnings of an answer."""
    links: frozenset[str] = frozenset()
    """Between a thing and what is said of it: "A lien is ..."."""


def _answering(asks: str, answers: str, links: str = "") -> _Answering:
    return _Answering(Wordings.of(asks), Wordings.of(answers), frozenset(links.split()))


_ENGLISH = _answering(
    "how, what is|are|was|were|do|does|did|should|can|could|would|causes|makes|happens|kind|type|size|temperature, "
    "what's, which, "
    "why, where, when, who, is|are|does|do|can|should it|they|this|that|you|i|there",
    "because, the best|easiest|simplest|quickest way|thing|method ?to ?do ?it ?this is, "
    "the|best|short answer|solution|fix|reason|trick|key ?answer ?way ?to ?here ?for ?it ?this is|lies, "
    "you can|should|could|need|must|have|simply|just ?simply ?just ?also ?always ?to "
    "add|apply|avoid|bake|boil|buy|change|choose|clean|click|combine|cook|create|cut|do|drain|fill|fix|go|heat|hold|"
    "increase|install|keep|leave|let|"
    "lower|make|mix|move|open|place|plant|pour|press|prune|put|reduce|remove|replace|reset|rinse|run|set|soak|soften|"
    "start|store|switch|turn|update|use|wait|wash|water|wipe|work|write|squeeze|rub|spray|dip|spread|sprinkle|"
    "seal|lay|hang|tighten|loosen|lift|slide|drop|dry|brush|scrub|wrap|cover|freeze|melt|stir|whisk|knead|roast|"
    "grill|steam|peel|slice|chop|sow|feed|trim|dig|drill|sand|paint|glue|screw|grease|weigh|measure, "
    "to do|fix|achieve|solve this|that|so|it you, "
    "simply|first fill|press|open|go|add|mix|put|use|click|turn|wash|remove|you, it is|it's because, "
    "that is|that's because, it|they happens|happen|works|work because|by|when, "
    "this is|happens because, yes it|they is|are|does|do|can, no it|they isn't|aren't|doesn't|don't|can't|cannot, "
    "yes you can|should",
    "is are means refers was were",
)  # fmt: skip
_LANGUAGES = {
    "de": _answering(
        "wie, was, welche, welcher, welches, warum, wieso, wo, wann, wer, ist, sind, kann, soll, muss",
        "weil, das liegt daran, am besten, "
        "die|der ?beste ?richtige ?kurze antwort|lösung|grund|trick ist|lautet|dafür|liegt ?ist, "
        "du|man|sie kannst|kann|können|solltest|sollte|sollten|musst|muss|müssen ?einfach ?zuerst ?den ?die ?das, "
        "das liegt|kommt daran|davon, das ist so weil, am besten nimmt|macht|stellt|legt|gibt man, "
        "dazu|dafür nimmt|muss|kann|füllt|gibt man",
        "ist sind bedeutet bezeichnet heißt",
    ),
    "fr": _answering(
        "comment, que, quel, quelle, quels, quelles, pourquoi, où, quand, qui, qu'est, est, combien, c'est",
        "parce que, parce qu'il, car, le mieux est, la ?meilleure réponse|solution|raison est, il faut|suffit, "
        "vous|tu|on pouvez|peux|peut|devez|dois|doit ?simplement ?d'abord, c'est parce, cela vient, "
        "pour cela il|vous|on",
        "est sont signifie désigne qu'est c'est",
    ),
    "es": _answering(
        "cómo, como, qué, que, cuál, cuáles, por, dónde, cuándo, quién, es, son, cuánto",
        "porque, lo mejor es, la ?mejor respuesta|solución|razón es, "
        "puedes|puede|debes|debe|tienes|hay ?que ?simplemente ?primero ?usar "
        "?poner ?añadir ?limpiar ?cambiar ?dejar, se debe|puede, es porque, eso es porque, "
        "para ello|eso hay|debes|se|tienes, basta con",
        "es son significa consiste",
    ),
    "pt": _answering(
        "como, o, que, qual, quais, por, onde, quando, quem, é, são",
        "porque, o melhor é, a ?melhor resposta|solução|razão é, você pode|deve|precisa ?simplesmente ?primeiro, "
        "basta, é preciso, "
        "isso acontece porque, é porque, deve-se, pode-se",
        "é são significa consiste",
    ),
    "it": _answering(
        "come, che, cosa, cos'è, quale, quali, perché, dove, quando, chi, è, sono, qual",
        "perché, la cosa migliore è, la ?migliore risposta|soluzione|ragione è, "
        "puoi|può|devi|deve|bisogna|basta|occorre ?semplicemente ?prima, "
        "è perché, si può|deve, per farlo|questo bisogna|basta|devi|si",
        "è sono significa indica",
    ),
    "nl": _answering(
        "hoe, wat, welke, waarom, waar, wanneer, wie, is, zijn, kan",
        "omdat, het beste is, het|de ?beste antwoord|oplossing|reden is, "
        "je|u|men kunt|kan|moet ?gewoon ?eerst ?het ?de, "
        "dat komt doordat|omdat",
        "is zijn betekent",
    ),
    "pl": _answering(
        "jak, co, jaki, jaka, jakie, który, dlaczego, czemu, gdzie, kiedy, kto, czy",
        "ponieważ, bo, dlatego że, odpowiedź ?brzmi ?jest ?to, rozwiązanie ?jest ?to, należy, trzeba, wystarczy, "
        "możesz|można|musisz|powinieneś|powinnaś, najlepiej, dzieje się tak, to dlatego, to przez",
        "to jest są oznacza",
    ),
    "tr": _answering(
        "nasıl, ne, nedir, neden, niçin, nerede, hangi, kim, niye, kaç",
        "çünkü, cevap|cevabı|çözüm|çözümü|nedeni|sebebi ?şudur ?ise ?basit, bunun için, bunu yapmak için, "
        "yapmanız|yapman gereken",
    ),
    "ru": _answering(
        "как, что, какой, какая, какие, какое, почему, зачем, где, когда, кто, сколько, чем",
        "потому что, лучше всего, ответ|решение|причина ?прост ?в ?это ?такой ?такое, нужно, надо, достаточно, "
        "следует, можно, "
        "вам|тебе нужно|надо|следует, это потому, это происходит|связано, для этого нужно|надо|необходимо",
        "это такое означает является называется",
    ),
    "uk": _answering(
        "як, що, який, яка, які, яке, чому, навіщо, де, коли, хто, скільки, чим",
        "тому що, бо, найкраще, відповідь|рішення|причина ?проста ?в ?це, потрібно, треба, достатньо, слід, можна, "
        "вам|тобі потрібно|треба|слід, це тому, це відбувається|пов'язано, для цього потрібно|треба|необхідно",
        "це таке означає є називається",
    ),
    "el": _answering(
        "πώς, τι, ποιος, ποια, ποιο, γιατί, πού, πότε, είναι",
        "επειδή, διότι, η|ο απάντηση|λύση|λόγος είναι, πρέπει να, μπορείς|μπορείτε να, αρκεί να, "
        "αυτό οφείλεται|συμβαίνει, "
        "χρειάζεται να",
        "είναι σημαίνει",
    ),
    "vi": _answering(
        "làm, cách, tại, vì, gì, nào, ở, khi, ai, thế, sao, bao",
        "vì, bởi vì, câu trả lời là, giải pháp là, bạn có|nên|cần|phải|chỉ, chỉ cần, đó là vì, nguyên nhân là, "
        "lý do là",
    ),
    "ar": _answering(
        "كيف, ما, ماذا, لماذا, أين, متى, من, هل, أي, كم",
        "لأن, لأنه, لأنها, الجواب|الإجابة|الحل|السبب هو|هي, يمكنك, يجب ?عليك ?أن, عليك أن, يكفي أن, ذلك لأن, "
        "هذا بسبب|لأن, ينبغي",
        "هو هي يعني تعني",
    ),
    "he": _answering(
        "איך, מה, מהו, מהי, למה, מדוע, איפה, מתי, מי, האם, איזה, כמה",
        "כי, מפני ש*, התשובה|הפתרון|הסיבה היא|הוא|לכך ?היא, אפשר, צריך, יש ל*|לנקות|להוסיף|לשים|להשרות, כדאי, מספיק, "
        "זה קורה|בגלל, זה מפני",
        "הוא היא זה זו",
    ),
    "hi": _answering(
        "कैसे, क्या, क्यों, कहाँ, कहां, कब, कौन, कौनसा, किस, कितना, कितने",
        "क्योंकि, इसका उत्तर|जवाब|समाधान|कारण, उत्तर|जवाब है, आप ?इसे ?इसमें ?पहले, आपको, इसके लिए, ऐसा इसलिए",
    ),
    "bn": _answering(
        "কীভাবে, কিভাবে, কী, কি, কেন, কোথায়, কখন, কে, কোন, কত",
        "কারণ, এর উত্তর|সমাধান|কারণ, উত্তর হলো|হল, আপনি, আপনাকে, এর জন্য, এজন্য",
    ),
    "th": _answering(
        "อะไร, อย่างไร, ยังไง, ทำไม, ทำอย่างไร, ที่ไหน, เมื่อไหร่, ใคร, วิธี, จะ, ควร, ต้อง",
        "เพราะ, คำตอบคือ, วิธีแก้คือ, คุณต้อง, คุณควร, คุณสามารถ, สาเหตุคือ, เพราะว่า, ให้ใช้, วิธีคือ"),
    "zh": _answering(
        "怎, 什, 为, 為, 哪, 谁, 如, 多, 何, 是, 能, 可",
        "因为, 因為, 答案是, 解决办法是, 解决方法是, 方法是, 原因是, 这是因为, 這是因為, 因为, 你可以, 您可以, 你应该, "
        "你需要, 只要, 只需, 应该先, 可以用, 需要先, 首先",
        "是 指",
    ),
    "ja": _answering(
        "ど, 何, な, い, 誰, い, 方, と",
        "なぜなら, 答えは, 解決策は, 原因は, 方法は, 理由は, それは, まず, それには, そのためには",
        "は",
    ),
    "ko": _answering(
        "어떻게, 무엇, 무엇인가요, 뭐, 뭔가요, 왜, 어디, 어디서, 언제, 누가, 어떤, 몇",
        "왜냐하면, 답은, 정답은, 해결책은|방법은, 이유는, 원인은, 먼저, 그것은, 그건, 그러려면, 이를 위해",
    ),
}  # fmt: skip


class Parameters(RuleParameters):
    """What is an answer."""

    fewest_words: Annotated[int, Field(ge=2, le=100)] = 6
    """Words of the sentence that answers. Scripts without spaces count characters, and need twice as many."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first question with its answer; quotations and code do not count."""
    language = context.reading.language
    kinds = (
        [_ENGLISH] if language == "en" else [_LANGUAGES[language]] if language in _LANGUAGES else []
    )
    own = frozenset(_OWN.get(language, "").split())
    fewest = context.parameters.fewest_words * (2 if language in ("zh", "ja", "th") else 1)
    for said in context.reading.of_role("user"):
        # Greek asks with what looks like a semicolon.
        text = said.own.replace(";", "?") if language == "el" else said.own
        for kind in kinds if any(mark in text for mark in _QUESTION_ENDS) else ():
            if span := _answered(text, kind, own, fewest):
                return said.found(*span, "The user answers its own question.")
    return None


def _answered(
    text: str, kind: _Answering, own: frozenset[str], fewest: int
) -> tuple[int, int] | None:
    """From the question to the end of the answer."""
    asked: tuple[int, int] | None = None
    for start, end, is_question in _sentences(text):
        if is_question:
            asked = start, end
        elif asked:
            spoken = words(text[start:end])
            if len(spoken) >= fewest and own.isdisjoint(spoken):
                question = words(text[slice(*asked)])
                if _decides(question, spoken, kind) or (
                    _has(kind.asks, question) and _answers(question, spoken, kind)
                ):
                    return asked[0], end
            asked = asked if not spoken else None
    return None


def _sentences(text: str) -> Iterator[tuple[int, int, bool]]:
    for match in _SENTENCE.finditer(text):
        if sentence := match[0].strip():
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            yield start, start + len(sentence), sentence.endswith(_QUESTION_ENDS)


def _answers(question: Sequence[str], answer: Sequence[str], kind: _Answering) -> bool:
    begins = answer[:12]
    spans = kind.answers.spans(begins, frozenset(begins))
    if spans and spans[0][0] == 0:
        return True
    return _says_again(question, answer, kind.links)


def _decides(question: Sequence[str], answer: Sequence[str], kind: _Answering) -> bool:
    """Whether it is a yes or a no and the question again: "Is glass a liquid? No, glass is ..."."""
    return answer[0] in _YES_OR_NO and _leads_with(frozenset(question), answer[1:7], kind.links)


def _has(wordings: Wordings, spoken: Sequence[str]) -> bool:
    return bool(wordings.spans(spoken, frozenset(spoken)))


def _says_again(question: Sequence[str], answer: Sequence[str], links: frozenset[str]) -> bool:
    """Whether the answer begins with what was asked for: "What is a lien? A lien is ..."."""
    asked = frozenset(question)
    if answer[0] in asked and answer[1] in asked and not _REASONS.isdisjoint(answer[:7]):
        return True
    if not links & asked and "what" not in asked:
        return False
    return _leads_with(asked, answer[:6], links)


def _leads_with(asked: frozenset[str], answer: Sequence[str], links: frozenset[str]) -> bool:
    """Whether what was asked for stands before the first link."""
    for at, word in enumerate(answer):
        if word in links:
            named = [one for one in answer[:at] if one in asked]
            return (
                at > 0
                and len(named) >= at - 1
                and any(len(one) > 3 or not one.isascii() for one in named)
            )
    return False
