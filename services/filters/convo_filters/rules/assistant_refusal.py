"""Reject an assistant that refuses: "I'm sorry, but I can't assist with that"."""

import re

from convo_events.conversations import Conversation
from convo_filters.drafts import draft_start
from convo_filters.evidence import Found, any_of
from convo_filters.rules_context import Context, Said
from convo_filters.wordings import by_language

PRECEDENCE = 100
DESCRIPTION = "The assistant refuses in a model's stock words."

_CANNOT = any_of(
    "can'?t, cannot, can not, won't, will not, am (?:not able|unable) to, 'm (?:not able|unable) to, could not"
)
_DO = any_of(
    "assist, help you (?:with|create|write|do), help with (?:that|this|your request|creating|writing|making), "
    "fulfill?, "
    "comply, engage in, participate, do that, "
    "create (?:that|this|content|explicit|harmful), generate (?:that|this|content|explicit|harmful), "
    "continue (?:this|with this|the conversation), discuss (?:that|this), support (?:that|this), "
    "write (?:that|this) for, "
    "answer that, provide (?:that|this|you with|information|instructions|guidance|assistance), "
    "provide (?:any |specific |personal(?:ized|ised)? )?(?:medical|legal|financial)"
)
# For text in small letters.
_ENGLISH = re.compile(
    r"\bi(?: don't| do not) feel comfortable\b|\bi(?:'m| am) not comfortable\b"
    rf"|\bi(?: |(?=')){_CANNOT} (?:in good conscience )?{_DO}\b"
    r"|\bas an (?:ai|artificial intelligence)(?: language model| model| assistant)?, "
    r"i (?:can't|cannot|do not|don't|am not able|am unable|must)\b"
    r"|\bi (?:must|have to) (?:respectfully )?(?:decline|refuse)\b(?! the (?:invitation|offer))"
    r"|\b(?:against|violates?) (?:my|our|the) (?:\w{1,20} )?(?:guidelines|programming|policy|policies|principles)\b"
)
_OTHERS = by_language(
    {
        "es": "lamento ?mucho no poder ayud*|asist*, siento no poder ayud*|asist*, "
        "lo siento ?mucho pero no puedo "
        "ayud*|asist*|cumpl*|proporcion*|gener*|particip*|hacer|dar*|escribir|continuar, "
        "no puedo ayudarte|ayudarle|asistirte con eso|esa|esta|ese|este, "
        "como modelo|ia ?de ?lenguaje ?yo no puedo|tengo|debo",
        "fr": "je ne peux .. pas vous|t'aider|répondre|fournir ?aider ?répondre ?à ?avec, "
        "je ne suis pas en mesure de, je regrette mais je ne peux pas, "
        "désolé|désolée ?mais je ne peux|suis|puis pas ?en ?mesure "
        "vous|t'aider|répondre|fournir|de|accéder|générer|créer|participer|faire|traiter, "
        "je ne peux|suis pas ?en ?mesure ?de vous|t'aider|répondre ?aider à|avec cette|ce|votre|cela, "
        "en tant qu'ia je ne",
        "de": "kann|darf ich ?dir|ihnen|euch ?bei ?dieser|diesem|der|hier ..4 nicht "
        "helfen|weiterhelfen|behilflich|beantworten|bereitstellen, "
        "tut mir leid ?aber ich|dabei|das|damit|diese kann .. nicht, "
        "ich kann ?dir ?ihnen ?euch dabei|damit|hierbei ?leider nicht helfen|weiterhelfen|behilflich, "
        "ich kann|darf diese|diesen|dieser anfrage|inhalt|bitte ?leider nicht, als ki|sprachmodell kann|darf ich",
        "pt": "não consigo ajud* com, não tenho como ajud* com, lamento não poder ajud*, "
        "desculpe|desculpa|lamento mas ?eu não posso, sinto muito mas ?eu não posso, "
        "não posso ajud* com isso|esse|essa, como uma|um ia|modelo ?de ?linguagem ?eu não posso|tenho",
        "it": "non sono in grado di aiutar*|fornir*|rispondere|soddisfare, "
        "mi dispiace ?ma non posso "
        "aiut*|fornir*|assist*|gener*|soddisfare|rispondere|farlo|scrivere|partecipare, "
        "non posso aiutarti|aiutarla con questa|questo|ciò|in, in quanto ia|modello ?linguistico non posso|ho",
        "nl": "kan ik ?je|u .. niet helpen|beantwoorden, "
        "het spijt me ?maar ?ik ?daar kan ?ik .. niet, "
        "sorry ?maar ?daar ?ik kan ?ik ?je ?u ?daar ?hier ?niet ?mee niet ?bij ?mee helpen|assisteren, "
        "ik kan ?je ?u hier|daar niet ?mee ?bij helpen, als ai kan ik",
        "pl": "nie jestem w stanie pomóc|odpowiedzieć|spełnić, "
        "przykro mi ?ale nie mogę, przepraszam ?ale nie mogę pomóc|spełnić|wykonać|odpowiedzieć|udzielić|w, "
        "niestety nie mogę ?ci ?panu ?pani w|pomóc|spełnić|udzielić ?tym ?pomóc, "
        "jako model|sztuczna językowy|inteligencja nie mogę|mam",
        "tr": "üzgünüm ?ama ?fakat ?ancak ?bu ?konuda ?size ?sana ?isteği ?isteğinize ?isteğinizi ?yardımcı ?yerine "
        "?yardım olamam|getiremem|edemem|yapamam|veremem|sağlayamam|yardımcı ?olamam, "
        "bu konuda|isteğinizi|isteği ?size ?yerine yardımcı|getiremem olamam|olamıyorum, "
        "bir yapay zeka olarak .. olamam|yapamam|veremem|edemem",
        "ru": "я не могу .. помочь|выполнить|ответить|предоставить|обсуждать, не могу вам ..4 помочь, "
        "извините|простите|жаль ?но ?к ?сожалению я не могу "
        "помочь|выполн*|предостав*|ответить|обсужд*|этого|вам|с, "
        "к сожалению ?но ?я не могу ?вам помочь|выполн*|предостав*|ответить|обсужд*, "
        "я не могу помочь|выполнить|обсуждать ?вам с этим|этот|этой|ваш|эту, как языковая модель я не могу|имею, "
        "как ии я не могу|имею",
        "uk": "я не можу .. допомогти|виконати|відповісти|надати, "
        "вибачте|перепрошую|шкода ?але ?на ?жаль я не можу "
        "допомогти|викон*|нада*|відповісти|обговор*|цього|вам, "
        "на жаль ?але ?я не можу ?вам допомогти|викон*|нада*|відповісти|обговор*, "
        "я не можу ?вам допомогти ?вам з цим|цією, як мовна модель я не можу|маю, як штучний інтелект я не можу|маю",
        "el": "λυπάμαι|συγγνώμη ?αλλά δεν μπορώ να, δεν μπορώ να σε|σας βοηθήσω με αυτό|αυτό|το",
        "ar": "عذرا|عذرًا|آسف|آسفة|أعتذر ?لكن ?ولكن ?لكنني ?ولكنني ?لا لا|لكنني|أستطيع|يمكنني ?أستطيع ?يمكنني "
        "?مساعدتك|تقديم|المساعدة|تلبية|تنفيذ|الإجابة, لا يمكنني|أستطيع مساعدتك|المساعدة في|بهذا هذا|ذلك|الطلب, "
        "أنا آسف|آسفة ?لكن ?ولكن ?لكنني ?ولكنني لا أستطيع|يمكنني",
        "he": "מצטער|מצטערת ?אבל ?אך ?אני לא|איני|אינני|אני ?לא ?יכול ?יכולה ?אוכל ?לעזור|לסייע|יכול|יכולה|אוכל ?בזה "
        "?בכך, אני לא יכול|יכולה לעזור|לסייע ?לך בזה|בכך|עם",
        "hi": "क्षमा करें ?लेकिन ?मगर मैं .. नहीं, माफ़|माफ कीजिए|करें|कीजिएगा ?लेकिन मैं .. नहीं, "
        "मुझे खेद है ?कि ?लेकिन मैं .. नहीं, मैं इसमें|इस आपकी|में|अनुरोध ?मदद ?सहायता ?को ?पूरा नहीं कर",
        "bn": "দুঃখিত ?কিন্তু ?তবে আমি .. না|পারব|পারছি|পারি, "
        "আমি এই|এতে|এ বিষয়ে|সাহায্য|অনুরোধ ?সাহায্য ?পূরণ ?করতে পারব|পারছি না",
        "vi": "xin lỗi ?nhưng tôi không thể, rất tiếc ?nhưng ?là tôi không thể, tôi xin lỗi ?nhưng ?tôi không thể, "
        "tôi không thể giúp|hỗ ?trợ ?bạn với|việc|điều|yêu",
        "th": "ขอโทษค่ะฉันไม่สามารถ, ขอโทษครับผมไม่สามารถ, ขออภัยค่ะฉันไม่สามารถ, ขออภัยครับผมไม่สามารถ, "
        "ขออภัย ฉันไม่สามารถ, ขอโทษนะคะ ฉันไม่สามารถ, ขออภัย ไม่สามารถช่วย, เสียใจด้วย ฉันไม่สามารถ, "
        "ฉันไม่สามารถช่วยเรื่องนี้, ผมไม่สามารถช่วยเรื่องนี้",
        "zh": "抱歉 ?但 ?是 我 无|不|没 法|能|办 ?法, 对不起 ?但 ?是 我 无|不 法|能, "
        "很遗憾 ?但 ?是 我 无|不 法|能, 抱歉 無法, 抱歉 无法, 抱歉 ?但 我 無|不 法|能, "
        "對不起 ?但 ?是 我 無|不 法|能, "
        "我无法协助, 我无法提供这, 我不能协助, 我无法满足, 作为一个 a i 我不能, 作为人工智能 我 不|无",
        "ja": "申し訳ありませんが ..21 できません, 申し訳ありませんが ..21 できかね, "
        "申し訳ございませんが ..21 できません, 申し訳ございませんが ..21 できかね, "
        "申し訳ございませんが ..18 いたしかね, すみませんが ..15 お手伝いできません, "
        "すみませんが ..15 お答えできません, "
        "そのご要望にはお応えできません, そのリクエストにはお応えできません",
        "ko": "죄송하지만 ..9 도와드릴|제공할|답변할|수행할|도움을|응할|답변드릴|드릴 ?드릴 수|수는 없*, "
        "죄송합니다만 ..9 도와드릴|제공할|답변할|수행할|응할|드릴 수|수는 없*, "
        "죄송합니다 ..9 도와드릴|제공할|답변할|수행할|응할 수|수는 없*",
    }
)
# One of these is in every English wording above.
_HINTS = (
    "can't |cant |cannot|can not|won't|will not|could not|unable|not able|s an |decline|refuse|against|violate|"
    "comfortable"
)
_HINT_WORDS = tuple(_HINTS.split("|"))


def check(conversation: Conversation, context: Context) -> Found | None:
    """The first refusal in an assistant turn; quotations and drafts do not count."""
    language = context.reading.language
    return context.reading.first(lambda said: _refusal(said, language), "assistant")


def _refusal(said: Said, language: str) -> Found | None:
    places = []
    if any(hint in said.lowered for hint in _HINT_WORDS):
        places = [match.span() for match in _ENGLISH.finditer(said.lowered)]
    if language in _OTHERS:
        places += said.wording_places(_OTHERS[language])
    for start, end in places:
        if start < draft_start(said.own):
            return said.found(start, end, "The assistant refuses.")
    return None
