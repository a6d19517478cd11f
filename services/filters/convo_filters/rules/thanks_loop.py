"""Reject a conversation that cannot end: turn after turn of thanks and farewells and nothing else."""

from typing import Annotated

from pydantic import Field

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters, Said
from convo_filters.wordings import Wordings, by_language

PRECEDENCE = 125
DESCRIPTION = "The speakers thank each other and say goodbye, turn after turn."

_ENGLISH = Wordings.of(
    "thank|thanks you|so|again|a|for|to, thanks, thx, you're ?very ?most welcome, you are ?very ?most welcome, "
    "my pleasure, no problem, anytime, any time, "
    "don't mention it, goodbye, good bye, bye, bye-bye, see you|ya, take care, farewell, "
    "have a|an ?really ?great|good|nice|lovely|wonderful|amazing|fantastic|safe|fun, "
    "you too, same to you, likewise, cheers, talk to you soon|later, until next time, good night, all the best, "
    "best of luck, good luck, "
    "happy to help|hear, glad to|i|it help|hear|could|helped ?help, appreciate it|you|your|that"
)
_OTHERS = by_language(
    {
        "es": "gracias, de nada, adiós, hasta luego|pronto|la|mañana, nos vemos, cuídate, cuídese, "
        "que tengas|tenga|te|le ?vaya ?un ?una, igualmente, chao, buenas noches, un placer, saludos, un abrazo",
        "fr": "merci, de rien, au revoir, à bientôt|plus|la|demain, bonne journée|soirée|nuit|continuation|chance, "
        "avec plaisir, je vous|t'en en ?prie, je t'en prie, salut, prenez|prends soin, "
        "pareillement, à vous|toi aussi, bon courage|week-end, ciao",
        "de": "danke, dankeschön, vielen dank, herzlichen dank, gern geschehen, gerne, bitte ?sehr ?schön, tschüss, "
        "tschüs, auf wiedersehen, bis bald|dann|später|zum|morgen, schönen tag|abend, einen schönen, "
        "mach's gut, machen sie's gut, alles gute, ebenfalls, ebenso, dir|ihnen auch, gute nacht, "
        "viel erfolg|spaß|glück, kein problem",
        "pt": "obrigado, obrigada, de nada, tchau, até logo|mais|breve|a|amanhã, adeus, por nada, disponha, "
        "igualmente, bom dia, boa noite|tarde|sorte, tenha um|uma, um abraço, cuide-se, valeu, imagina",
        "it": "grazie, prego, di niente|nulla, arrivederci, ciao, a presto|domani|dopo, "
        "buona giornata|serata|notte|fortuna, buon pomeriggio|lavoro, figurati, si figuri, altrettanto, ci vediamo, "
        "è stato un piacere, "
        "anche a te|lei",
        "nl": "bedankt, dank je|u|jullie, dankjewel, graag gedaan, geen probleem|dank, tot ziens|straks|snel|de, "
        "doei, fijne dag|avond, prettige dag|avond, insgelijks, jij ook, u ook, succes, welterusten",
        "pl": "dziękuję, dzięki, nie ma za ?co, proszę bardzo, do widzenia|zobaczenia|usłyszenia, pa, "
        "miłego dnia|wieczoru, dobranoc, nawzajem, wzajemnie, trzymaj się, powodzenia, na razie, cała przyjemność, "
        "pozdrawiam",
        "tr": "teşekkür, teşekkürler, sağ ol, sağol, rica ederim, hoşça kal|kalın, hoşçakal, görüşürüz, "
        "görüşmek üzere, iyi günler|akşamlar|geceler, kendine iyi, kendinize iyi, size de, sana da, bir şey değil, "
        "kolay gelsin, güle güle",
        "ru": "спасибо, благодарю, пожалуйста, не за что, до свидания, до встречи, пока, "
        "всего доброго|хорошего|наилучшего, хорошего дня|вечера, удачи, и вам|тебе, взаимно, "
        "рад|рада ?был ?была помочь, обращайтесь, спокойной ночи, "
        "доброй ночи",
        "uk": "дякую, дуже дякую, будь ласка, прошу, нема за що, немає за що, до побачення, до зустрічі, бувай, "
        "бувайте, гарного дня|вечора, усього найкращого|доброго, всього найкращого|доброго, успіхів, щасти, навзаєм, "
        "і вам|тобі, на добраніч",
        "el": "ευχαριστώ, σε ευχαριστώ, σας ευχαριστώ, παρακαλώ, τίποτα, αντίο, γεια σου|σας, τα λέμε, "
        "καλή συνέχεια|μέρα|τύχη, καλό βράδυ|απόγευμα|κουράγιο, καληνύχτα, επίσης, να είσαι|είστε καλά, χαρά μου",
        "vi": "cảm ơn, không có gì|chi, tạm biệt, hẹn gặp lại, chúc bạn|một, chào bạn|nhé, bạn cũng vậy, ngủ ngon, "
        "rất vui",
        "ar": "شكرا, شكرًا, عفوا, عفوًا, العفو, على الرحب, مع السلامة, إلى اللقاء, وداعا, وداعًا, أتمنى لك, "
        "يوما سعيدا, وأنت|ولك أيضا|أيضًا|كذلك|بالمثل, تصبح على, في أمان, لا شكر, تحياتي, بالتوفيق",
        "he": "תודה, בבקשה, אין בעד, על לא, להתראות, ביי, יום טוב|נעים|מקסים, ערב טוב, לילה טוב, גם לך|לכם, בהצלחה, "
        "בשמחה, שמור|שמרי על, כל טוב",
        "hi": "धन्यवाद, शुक्रिया, आपका स्वागत, कोई बात नहीं, अलविदा, फिर मिलेंगे, नमस्ते, शुभ रात्रि|दिन, "
        "आपका दिन शुभ, आपको भी, अपना ख्याल, अपना ध्यान",
        "bn": "ধন্যবাদ, আপনাকে ধন্যবাদ, স্বাগতম, আপনাকে স্বাগতম, বিদায়, আবার দেখা, ভালো থাকবেন, ভাল থাকবেন, "
        "শুভ রাত্রি, শুভ দিন, শুভ কামনা, আপনাকেও, আপনার দিনটি",
        "th": "ขอบคุณ, ยินดี, ไม่เป็นไร, ลาก่อน, แล้วเจอกัน, โชคดี, เช่นกัน, สวัสดี, ราตรีสวัสดิ์, บาย, ดูแลตัวเอง",
        "zh": "谢谢, 謝謝, 感谢, 不客气, 不客氣, 不用谢, 再见, 再見, 拜拜, 祝你, 祝您, 你也是, 您也是, 晚安, "
        "保重, 下次见, 回头见, 慢走",
        "ja": "ありがとう, どういたしまして, さようなら, またね, ではまた, それでは, 失礼します, おやすみ, "
        "お気をつけて, こちらこそ, よい一日, 良い一日, バイバイ, お元気で, いえいえ",
        "ko": "감사합니다, 감사해요, 고맙습니다, 고마워요, 고마워, 천만에요, 별말씀을요, 안녕히 가세요|계세요, "
        "안녕, 좋은 하루, 또 봐요|봬요|만나요, 다음에 또, 수고하세요, "
        "잘 가요|가, 네 감사*, 좋은 밤",
    }
)


_SAYS_MORE = ("?", "？", "؟", ": ", ":\n", "`")


class Parameters(RuleParameters):
    """How long a farewell may take."""

    most_turns: Annotated[int, Field(ge=2, le=100)] = 4
    """Turns in a row of thanks and farewells alone that still pass: thanks, welcome, bye, bye."""
    most_words: Annotated[int, Field(ge=1, le=200)] = 25
    """Longer turns say something else too. Scripts without spaces count characters."""


def check(conversation: Conversation, context: Context[Parameters]) -> Found | None:
    """The first turn of thanks and farewells that is one too many."""
    others = _OTHERS.get(context.reading.language)
    row = 0
    for said in context.reading.turns:
        row = row + 1 if _only_closes(said, others, context.parameters.most_words) else 0
        if row > context.parameters.most_turns:
            return said.found_whole(f"The {row}th turn in a row that only thanks or says goodbye.")
    return None


def _only_closes(said: Said, others: Wordings | None, most_words: int) -> bool:
    """Whether a turn is short, asks and tells nothing, and thanks or says goodbye."""
    if len(said.words) > most_words or any(mark in said.plain for mark in _SAYS_MORE):
        return False
    listed = [one for one in (_ENGLISH, others) if one]
    return any(said.has(one) for one in listed)
