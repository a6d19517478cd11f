"""Reject a turn that speaks for the other side: the user offers help, the assistant asks for it, or a label says so."""

from convo_events.conversations import Conversation, Role
from convo_filters.drafts import draft_start
from convo_filters.evidence import Found
from convo_filters.labels import ASSISTANTS, USERS, label_of, labels_in, says_something
from convo_filters.rules_context import Context, Said
from convo_filters.wordings import Wordings, by_language

PRECEDENCE = 90
DESCRIPTION = "A turn is spoken as the other speaker, or goes on under the other speaker's label."

_LABEL_OF = {"user": label_of(USERS), "assistant": label_of(ASSISTANTS)}
_AS_ASSISTANT = by_language(
    {
        "en": "what can i do for you, if you have any other|more|further questions ..4 free|know|hesitate|ask, "
        "i'm|i ?am your|a|an ?helpful virtual|ai|personal|digital assistant, i'm always here to help|assist, "
        "how can|may i help|assist you, i'm here to help|assist ?you, i am here to help|assist ?you, "
        "as an ai ?language ?model ?assistant i ?don't ?do ?am ?can ?can't, i'm|i ?am ?just an ai, "
        "anything else i can help|assist ?you with, i'd|i ?would be happy|glad to help|assist you, "
        "feel free to ask ?me ?if ?any, let me know if you have any other|further|more questions, "
        "is there anything else you'd|you ?would like ?me ?to, i'm glad i could help|assist, "
        "happy to help|assist you with",
        "es": "si tienes|tiene ..2 preguntas|pregunta|duda|dudas no|avísame|dímelo|escríbeme, "
        "quedo a tu|su disposición, en qué ?más ?te ?le puedo ayudar*|asistir*, en qué más|te|le puedo ayudar*, "
        "estoy aquí para ayudar*, no dudes en preguntar*|consultar*",
        "fr": "n'hésitez pas si, n'hésite pas si|à, n'hésitez pas à me, je reste à votre disposition, "
        "comment puis-je vous|t'aider ?aider, comment puis-je t'aider, en quoi puis-je vous aider, "
        "en quoi puis-je t'aider, je suis là pour vous aider, je suis là pour t'aider, "
        "n'hésitez pas à me|poser demander|poser|vos ?questions",
        "de": "stehe ich dir|ihnen ?gerne ?jederzeit zur verfügung, "
        "wenn|falls du|sie ..3 fragen haben|hast ..2 stehe|melden|melde|lassen|lass|wende|wenden, "
        "wie kann|darf ich dir|ihnen|euch ?heute ?weiter helfen|weiterhelfen|behilflich, "
        "womit kann ich dir|ihnen ?heute ?weiter helfen|dienen, ich helfe dir|ihnen gerne ?weiter ?dabei ?damit, "
        "ich bin hier um dir|ihnen zu helfen",
        "pt": "se tiver ..2 dúvidas|perguntas|dúvida é|pode|estou|fico|não, fico à disposição, "
        "estou à disposição, como posso te|lhe|o|a|ajudar ajud*, como posso ajud*, "
        "em que posso ajud*|te|lhe ?ajudar, estou aqui para ajud*|te|lhe",
        "it": "se hai|ha ..2 domande chiedi|chieda|non|sono, resto a disposizione, sono a tua|sua disposizione, "
        "come posso aiutar*, in cosa posso aiutar*, sono qui per aiutar*",
        "nl": "als je|u nog ..2 vragen hebt|heeft laat|hoor|stel|vraag, hoe kan ik je|u ?vandaag ?verder helpen, "
        "waarmee kan ik je|u ?vandaag helpen, ik help je|u graag ?verder",
        "pl": "jeśli masz|ma ..3 pytań|pytania śmiało|daj|proszę|chętnie|jestem, jestem do dyspozycji, "
        "w czym mogę ?ci ?panu ?pani pomóc, jak mogę ?ci ?panu ?pani pomóc, jestem tu żeby|by ?ci pomóc, "
        "chętnie ?ci ?panu ?pani pomogę",
        "tr": "başka sorunuz|sorularınız varsa ..3 sorabilirsiniz|çekinmeyin|buradayım, "
        "yardıma ihtiyacınız olursa, size nasıl yardımcı olabilirim, sana nasıl yardımcı olabilirim, "
        "nasıl yardımcı olabilirim, size yardımcı olmak için buradayım",
        "ru": "если ..5 вопросы обращайтесь|обращайся|пишите|задавайте|спрашивайте|не|я, "
        "чем ?я могу ?я ?вам ?тебе помочь|быть ?полезен, чем вам помочь, я здесь чтобы ?вам помочь, "
        "рад|рада ?буду ?вам помочь вам|тебе|с, обращайтесь если|если у ?вас",
        "uk": "якщо ..5 питання|запитання звертайтеся|пишіть|питайте|запитуйте|не|я, "
        "чим ?я можу ?я ?вам ?тобі допомогти, чим вам допомогти, я тут щоб ?вам допомогти",
        "ar": "إذا كان|كانت لديك ?أي ?أية أسئلة|سؤال|استفسار ..2 فلا|لا|أنا|فأنا, كيف يمكنني مساعدتك ?اليوم, "
        "كيف أستطيع مساعدتك, كيف أقدر أساعدك, أنا هنا لمساعدتك, يسعدني أن أساعدك, يسعدني مساعدتك",
        "he": "איך אוכל|אפשר|אני לעזור|יכול|יכולה ?לעזור ?לך, במה אוכל|אפשר לעזור ?לך, אני כאן כדי לעזור",
        "hi": "अगर|यदि आपके ..4 सवाल|प्रश्न ..3 पूछ|पूछें|बताएं|बताएँ, मैं आपकी कैसे|क्या मदद|सहायता कर, "
        "मैं आपकी मदद के लिए यहाँ|यहां, मैं आपकी किस प्रकार सहायता",
        "bn": "আমি আপনাকে কীভাবে|কিভাবে সাহায্য|সহায়তা করতে, আমি কীভাবে|কিভাবে ?আপনাকে সাহায্য করতে, "
        "আপনাকে সাহায্য করতে আমি এখানে",
        "el": "αν έχεις|έχετε ..2 ερωτήσεις|απορίες μη|είμαι|ρώτα|ρωτήστε, πώς μπορώ να σε|σας|σου βοηθήσω, "
        "σε τι μπορώ να σε|σας βοηθήσω, είμαι εδώ για να σε|σας βοηθήσω",
        "vi": "nếu bạn có|còn ..6 đừng|hãy|tôi sẵn|ngại|luôn|cho, tôi có thể giúp gì|được cho ?bạn ?gì, "
        "tôi có thể giúp bạn ?điều gì, tôi có thể hỗ trợ ?bạn|gì ?gì, tôi sẵn sàng hỗ trợ|giúp, "
        "mình có thể giúp gì",
        "th": "มีอะไรให้ช่วย, ให้ฉันช่วยอะไร, ให้ช่วยอะไรไหม, ยินดีให้บริการ, ยินดีช่วยเหลือ",
        "zh": "很乐意为您, 乐意为您, 如果还有其他问题 随, 如果您还有其他问题 请|随, 如果你还有其他问题 随|请, "
        "还有什么可以帮, 有什么可以帮, 有什么我可以帮, 我能为您, 我能帮您, 有什麼可以幫, 有什麼我可以幫, "
        "我可以为您做, 很高兴为您, 随时为您服务, 请问需要什么帮助",
        "ja": "他にご質問があれば, 他にご質問がございまし, ほかにご質問があれば, ご不明な点がありましたら, "
        "いつでもお申し付け, 何かお手伝いでき, 何かお手伝いしま, お手伝いできることはあり, どのようなご用件, "
        "何をお手伝い, お役に立てることはあり",
        "ko": "다른|궁금한 ..2 있으시면|있으면 언제든지|편하게|말씀해, 무엇을 도와드릴까요|도와|도와드릴, "
        "어떻게 도와드릴까요|도와드릴, 도움이 필요하시면 언제든지|말씀해, 더 도와드릴 것이|일이",
    }
)
_AS_USER = by_language(
    {
        "en": "can|could|would you ?please help me with|to|write|fix|find|plan|figure|out ?with, "
        "thanks|thank ?you ?so ?very ?much for ?all your|the help|assistance|advice, "
        "i'm|i ?am looking for ?some help|advice, i need your|some help|advice with|on, "
        "can|could you ?please explain|tell to|me ?how ?what ?why, "
        "thanks|thank ?you ?so ?much for explaining ?that ?it ?this, that was very helpful thanks|thank ?you",
        "es": "puedes|podrías|puede|podría ayudarme, gracias por tu|su|la ayuda, necesito tu|su ayuda, "
        "me puedes|podrías|puede ayudar|explicar",
        "fr": "pouvez-vous m'aider, pourriez-vous m'aider, peux-tu m'aider, tu peux m'aider, vous pouvez m'aider, "
        "merci ?beaucoup pour votre|ton aide, j'ai besoin de votre|ton aide, j'aurais besoin de votre|ton aide",
        "de": "kannst|könntest du mir ?bitte ?mal ?dabei ?damit helfen, "
        "können|könnten sie mir ?bitte ?dabei ?damit helfen, danke|dank ?schön ?dir ?ihnen für deine|ihre hilfe, "
        "vielen dank für deine|ihre hilfe, ich brauche deine|ihre hilfe",
        "pt": "pode|poderia|você ?pode me ajudar, obrigado|obrigada pela ?sua ajuda, preciso da sua ajuda",
        "it": "puoi|potresti|può|potrebbe aiutarmi, mi puoi|potresti|può aiutare, grazie per l'aiuto, "
        "grazie per il tuo|suo aiuto, ho bisogno del tuo|suo aiuto",
        "nl": "kun|kunt|kan je|u mij|me ?even ?alsjeblieft helpen, bedankt voor je|uw hulp, ik heb je|uw hulp nodig",
        "pl": "możesz|mógłbyś|mogłabyś mi pomóc, czy może|mógłby pan|pani|by ?mi pomóc, "
        "dziękuję|dzięki za ?twoją pomoc, potrzebuję twojej|pana|pani pomocy",
        "tr": "bana yardım|yardımcı eder|edebilir|olur|olabilir misin|misiniz|musun|musunuz, "
        "yardımın|yardımınız için teşekkür*, yardımına|yardımınıza ihtiyacım var",
        "ru": "можете|можешь|могли|не ?бы ?могли ?бы ?вы мне помочь, спасибо за ?вашу ?твою помощь, "
        "мне нужна ваша|твоя помощь, помогите|помоги мне пожалуйста",
        "uk": "можете|можеш|могли ?б ?би ?ви мені допомогти, дякую за ?вашу ?твою допомогу, "
        "мені потрібна ваша|твоя допомога, допоможіть|допоможи мені будь",
        "ar": "هل يمكنك مساعدتي, هل تستطيع مساعدتي, شكرا|شكرًا ?جزيلا ?جزيلًا على|لك مساعدتك|على ?مساعدتك, "
        "أحتاج إلى|لمساعدتك ?مساعدتك, ممكن تساعدني",
        "he": "תוכל|תוכלי|אתה|את לעזור|יכול|יכולה ?לעזור לי, תודה ?רבה על העזרה ?שלך, "
        "אני צריך|צריכה ?את עזרה|העזרה|עזרתך",
        "hi": "क्या आप|तुम मेरी मदद|सहायता कर सकते|सकती|सकता|देंगे, आपकी मदद|सहायता के लिए धन्यवाद|शुक्रिया|बहुत, "
        "मुझे आपकी मदद चाहिए",
        "bn": "আপনি কি আমাকে সাহায্য|সহায়তা করতে|করবেন, সাহায্যের|সাহায্য ?করার জন্য ধন্যবাদ, আমার আপনার সাহায্য দরকার",
        "el": "μπορείς|μπορείτε|θα ?μπορούσες ?μπορούσατε να με βοηθήσεις|βοηθήσετε, "
        "ευχαριστώ ?πολύ για τη|την βοήθεια ?σου ?σας, χρειάζομαι τη|την βοήθειά|βοήθεια σου|σας",
        "vi": "bạn có thể giúp tôi|mình, cảm ơn ?bạn ?vì ?đã sự|giúp ?giúp đỡ|tôi ?của ?bạn, tôi cần sự|bạn giúp ?đỡ",
        "th": "ช่วยฉันหน่อย, คุณช่วยฉันได้ไหม, ช่วยผมหน่อย, คุณช่วยผมได้ไหม, ขอบคุณที่ช่วย, ขอบคุณสำหรับความช่วยเหลือ, "
        "ขอบคุณสำหรับคำแนะนำ",
        "zh": "你能帮我, 您能帮我, 你可以帮我, 谢谢你的帮助, 谢谢您的帮助, 感谢你的帮助, 感谢您的帮助, 你能幫我, "
        "謝謝你的幫助, 我需要你的帮助, 请你帮我",
        "ja": "手伝ってください, 手伝ってくれ, 手伝ってもらえ, 助けてくれてありがとう, 教えてくれてありがとう, "
        "教えていただけますか, 教えてもらえますか",
        "ko": "도와주세요, 도와주실 수 있*, 도와줄 수 있*, 도와주셔서 감사*, 알려줘서 고마워*, 알려주셔서 감사*",
    }
)
_OTHER: dict[Role, Role] = {"user": "assistant", "assistant": "user"}


def check(conversation: Conversation, context: Context) -> Found | None:
    """The first turn that is labelled or worded as the other speaker's; quotations and drafts do not count."""
    language = context.reading.language
    return context.reading.first(lambda said: _labelled(said) or _worded(said, language))


def _labelled(said: Said) -> Found | None:
    if ":" not in said.plain:
        return None
    other = _OTHER[said.role]
    for match in labels_in(_LABEL_OF[other], said.lowered):
        if says_something(match[2]):
            detail = f"The {said.role}'s turn is labelled as the {other}'s."
            return said.found(match.start(1), match.end(), detail)
    return None


def _worded(said: Said, language: str) -> Found | None:
    wordings = _AS_ASSISTANT if said.role == "user" else _AS_USER
    detail = f"The {said.role} speaks as the {_OTHER[said.role]}."
    for code in dict.fromkeys(("en", language)):
        listed: Wordings | None = wordings.get(code)
        for start, end in said.wording_places(listed) if listed else ():
            if start < draft_start(said.own):
                return said.found(start, end, detail)
    return None
