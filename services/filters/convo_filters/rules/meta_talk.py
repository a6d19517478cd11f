"""Reject a turn that talks about the prompt, the role-play, or about being asked to generate something."""

from convo_events.conversations import Conversation
from convo_filters.evidence import Found
from convo_filters.rules_context import Context
from convo_filters.wordings import Wordings, by_language

PRECEDENCE = 65
DESCRIPTION = (
    "A turn talks about making the conversation: the role it plays, the scenario, the next message."
)

_ENGLISH = Wordings.of(
    """
    user's next|first|latest message|turn|reply|response|utterance
    write|generate|produce|writing|generating the user's ?next reply|message|turn|response
    i'll|i ?will act|respond|reply as a|an|the ..2 user|customer|client|caller
    realistic|plausible message|reply|turn from the|a user, next user message|turn|utterance, the assistant \
    should|must|shall ?now ?then ?briefly answer|respond|reply|say|ask|acknowledge|explain
    as a|the user i|i'd|i'll|my ?want|would|will|should|need|am|might ?like ?to ?now ?next ?continue|ask|respond|say
    continue|continuing the conversation naturally|realistically|as, realistic user message|response|reply, \
    simulate|simulating a|the user|customer
    here is|are ?my ?the ?a ?next|generated|synthetic ?user message|reply|response|turn as|from|written the|a|an \
    user|persona
    here's ?my ?the ?a ?next|generated|synthetic ?user message|reply|response|turn as|from|written the|a|an user|persona
    here's|here the|a|my next user message|turn|reply|response, here is the|a|my next user message|turn|reply|response
    i'll|i|let|we ?will ?me ?need ?to ?now generate|write|produce|craft ?up the|a|an ?next|first user \
    message|turn|reply|utterance|response
    i'll|i ?will|would now ?respond|reply|speak|answer|write|continue as the user|persona|customer|character
    as instructed in|by the|your|my prompt|scenario|system ?prompt
    as the prompt|scenario says|states|asks|requires|specifies|describes
    the|this ?given scenario|prompt|task|instructions says|say|asks|ask|requires|tells|tell|instructs ?i ?that \
    ?should ?me ?to act|respond|roleplay|role-play|stay|play|pretend|simulate
    i was|am|were instructed|prompted|told|asked|tasked to|with roleplay|role-play|simulate|simulating|impersonate
    i was|am|were instructed|prompted|told|asked|tasked to|with \
    act|respond|reply|speak|answer|playing|play|write|generating|generate ?as ?the|a ?role|part ?of ?the|a \
    user|persona|customer|role|part|character|conversation|dialogue
    i've been instructed|prompted|asked|tasked to|with \
    act|roleplay|role-play|simulate|play|simulating|playing|generate|generating|respond ?as ?the|a \
    user|persona|customer|role|part|character|conversation|dialogue
    you asked|told|instructed|want me to act|roleplay|role-play|pretend|simulate|play|generate ?to ?be ?as ?the|a \
    user|persona|customer|role|character|conversation|dialogue
    in this roleplay|role-play ?scenario ?i ?i'll ?i'm, for this roleplay|role-play, in this \
    simulated|fictional|hypothetical ?role-play conversation|scenario|dialogue|roleplay
    for the purposes|sake|purpose of this roleplay|role-play|simulation|exercise|scenario|conversation
    this is a|just|only ?a simulated|fictional|generated|synthetic ?example \
    conversation|dialogue|response|scenario|exchange
    note this ?is ?a response|reply|message|conversation|dialogue|turn ?is|was ?a \
    ?fictional|simulated|generated|intended|written|meant|stays|keeps
    this response|reply|message|turn is|was|stays|keeps|fits|follows|reflects|matches ?written ?as ?in the \
    user's|user|persona|persona's|scenario|instructions
    continuing the|our|this roleplay|role-play|simulation|simulated, breaking character, out of character for
    i hope this|the dialogue|conversation|roleplay|role-play meets|matches|fits|satisfies your|the \
    requirements|request|instructions|criteria
    i'm|i ?am ready to roleplay|role-play|simulate, let's begin|start|continue the|our|this \
    role-play|roleplay|simulation
    my role as|is the|a ?to ?simulated user|customer, training data for
    as a language model ?i ?i'm ?trained ?by, i'm just a language model, i am ?just a language model
    """
)
_OTHERS = by_language(
    {
        "de": "als nutzer|nutzerin|benutzer|kunde würde|möchte|werde|frage ich ?jetzt ?nun ?nachfragen ?fragen, "
        "nächste nachricht des|der nutzers|benutzers|nutzerin, "
        "hier ist die|meine|eine ?nächste ?generierte nachricht|antwort|nutzernachricht des|der|als|aus "
        "nutzers|nutzer|persona|benutzers|sicht, "
        "in diesem rollenspiel, ich wurde gebeten|angewiesen|aufgefordert zu generieren|simulieren, "
        "wie im prompt|szenario "
        "verlangt|beschrieben|angegeben, ich generiere|schreibe jetzt|nun die|das|den "
        "?nächste ?nächsten nachricht|gespräch|dialog|nutzernachricht, "
        "ich spiele hier|nun|jetzt den|die nutzer|nutzerin|benutzer|kunden|kundin, "
        "dies ist ein simuliertes|fiktives gespräch|beispielgespräch|dialog, laut anweisung|vorgabe soll ich, "
        "als sprachmodell",
        "fr": "prochain message de l'utilisateur, en tant qu'utilisateur je, message suivant de l'utilisateur, "
        "voici le|la|mon|ma ?prochain ?prochaine message|réponse de l'utilisateur|l'utilisatrice, "
        "dans ce jeu de rôle, "
        "comme demandé dans le prompt|scénario|consigne, comme indiqué dans le prompt|scénario, "
        "on m'a demandé de jouer|générer|simuler, "
        "le scénario demande|dit|indique|précise que|de je|jouer|rester, je joue ici|maintenant le rôle, "
        "je vais générer|rédiger|écrire maintenant ?le ?la, "
        "je vais générer|simuler un|une|le|la dialogue|conversation|message, "
        "ceci est une|un conversation|dialogue fictive|simulée|fictif|simulé, en tant que modèle de langage",
        "es": "siguiente|próximo mensaje del usuario, como usuario|usuaria ?yo preguntaría|diría|quiero|voy|debo, "
        "aquí está|tienes|va el|la|mi ?siguiente ?próximo ?próxima mensaje|respuesta del|de usuario|la, "
        "en este juego de rol|roles, "
        "como se indica|pide en el|la prompt|escenario|instrucción|instrucciones, se me pidió|ha|indicó ?pedido "
        "simular|generar|actuar|interpretar, me pidieron que|simular|generar ?simule ?genere ?actúe, "
        "el escenario|prompt pide|dice|indica que|actuar yo|actúe|sea|como, "
        "voy a generar|simular ?ahora el|la|un|una, "
        "esta es una conversación|simulación ficticia|simulada|generada, como modelo de lenguaje",
        "pt": "próxima mensagem do usuário, como usuário eu, "
        "aqui está a|o|minha ?próxima ?próximo mensagem|resposta do|de usuário, neste roleplay, "
        "neste jogo de papéis|interpretação, "
        "conforme pedido|solicitado|indicado no|na prompt|cenário|instrução, "
        "fui instruído|instruída|solicitado a simular|gerar|agir|interpretar, "
        "o cenário|prompt pede|diz|indica que|para eu, vou gerar|simular ?agora a|o|uma|um, "
        "esta é uma conversa simulada|fictícia, como modelo de linguagem",
        "it": "prossimo messaggio dell'utente, come utente io|chiederei|direi|vorrei, "
        "ecco il|la ?mio ?mia ?prossimo ?prossima messaggio|risposta dell'utente|utente|come, "
        "in questo gioco di ruolo, "
        "come richiesto|indicato nel|dal|dallo prompt|scenario|istruzioni, "
        "mi è stato chiesto di simulare|generare|interpretare, "
        "lo scenario chiede|prevede|dice che|di io|interpretare|restare, ora genero|genererò il|la|un|una, "
        "questa è una conversazione simulata|fittizia, "
        "come modello linguistico|di",
        "nl": "volgende bericht van de gebruiker, als gebruiker zou ik, "
        "hier is het|mijn volgende bericht|antwoord van|als ?de gebruiker, in dit rollenspel, "
        "zoals gevraagd|aangegeven in de|het "
        "prompt|scenario|opdracht, ik ben gevraagd|geïnstrueerd om te simuleren|genereren|spelen, "
        "het scenario vraagt|zegt dat|om ik|mij|te, "
        "dit is een gesimuleerd|fictief gesprek, als taalmodel",
        "pl": "następna|kolejna wiadomość użytkownika, jako użytkownik ?ja zapytam|zapytałbym|powinienem|chcę, "
        "oto ?moja ?kolejna ?następna wiadomość|odpowiedź użytkownika|jako, w tej scence|symulacji|zabawie, "
        "w tym scenariuszu|odgrywaniu ?mam ?ja, "
        "zgodnie z promptem|scenariuszem|poleceniem, "
        "poproszono mnie o|żebym wygenerowanie|odegranie|odegrać|symulowanie, "
        "scenariusz|prompt mówi|wymaga|zakłada żebym|bym|że, teraz wygeneruję|napiszę wiadomość|odpowiedź|dialog, "
        "to jest symulowana|fikcyjna rozmowa, "
        "jako model językowy",
        "tr": "kullanıcının sonraki|bir mesajı|sonraki ?mesajı, "
        "işte kullanıcının|kullanıcı ?bir ?sonraki mesajı, bu rol oyununda|canlandırmada, senaryoya göre, "
        "istemde belirtildiği|istendiği "
        "gibi, benden .. canlandırmam|oynamam|üretmem istendi, "
        "şimdi .. mesajı|konuşmayı üreteceğim|oluşturacağım|yazacağım, bu kurgusal|simüle bir|edilmiş "
        "?konuşmadır, bir dil modeli olarak",
        "ru": "следующее|следующая|очередное сообщение|реплика пользователя, как пользователь я, "
        "вот ?мое ?моё ?следующее ?сгенерированное сообщение|ответ|реплика пользователя|от, "
        "в этой ролевой игре|сцене, "
        "как указано|сказано|требуется в промпте|сценарии|задании|инструкции, "
        "меня попросили|проинструктировали сгенерировать|сыграть|изобразить|симулировать, "
        "по сценарию я|мне|пользователь, сценарий|промпт требует|гласит|предполагает чтобы|что я, "
        "сейчас ?я сгенерирую|напишу сообщение|реплику|диалог|ответ, "
        "это вымышленный|смоделированный|сгенерированный диалог|разговор, как языковая модель",
        "uk": "наступне|наступна повідомлення|репліка користувача, як користувач я, "
        "ось ?моє ?наступне ?згенероване повідомлення|відповідь|репліка користувача|від, у цій рольовій грі, "
        "як зазначено|вказано|сказано у|в "
        "промпті|сценарії|завданні, мене попросили згенерувати|зіграти|зобразити, за сценарієм я|мені, "
        "зараз ?я згенерую|напишу "
        "повідомлення|репліку|діалог, це вигаданий|змодельований діалог, як мовна модель",
        "ar": "رسالة المستخدم التالية, بصفتي مستخدما, "
        "إليك رسالة المستخدم ?التالية, في هذا السيناريو ?أنا ?سأقوم, "
        "كما هو مطلوب|موضح في التعليمات|السيناريو|الموجه, "
        "طلب مني أن|تمثيل|توليد ?أمثل ?أولد ?ألعب, سأقوم الآن بتوليد|بكتابة ?رسالة, "
        "هذه محادثة خيالية|افتراضية|تجريبية, بصفتي نموذج ?نموذجا لغة|لغوي|لغويا",
        "he": "הנה ההודעה הבאה של|שלי ?המשתמש ?בתור, במשחק התפקידים הזה, כפי שנדרש|שצוין בהנחיה|בתרחיש|בהוראות, "
        "התבקשתי לשחק|לייצר|לדמות, "
        "התרחיש דורש|אומר, זוהי|זו שיחה מדומה|בדיונית, כמודל שפה",
        "hi": "यह रहा|रही उपयोगकर्ता|यूज़र का|की ?अगला ?अगली संदेश|जवाब, इस रोल प्ले|रोल-प्ले|भूमिका में, "
        "जैसा कि प्रॉम्प्ट|निर्देश|परिदृश्य में, मुझे "
        "?उपयोगकर्ता ?की भूमिका निभाने के|को ?लिए कहा, अब मैं .. संदेश|बातचीत तैयार|जनरेट, "
        "यह एक काल्पनिक|सिम्युलेटेड बातचीत, एक भाषा मॉडल",
        "bn": "এই রোল প্লেতে|ভূমিকায়, প্রম্পটে যেমন বলা, নির্দেশনা অনুযায়ী আমি, "
        "আমাকে .. ভূমিকা|চরিত্রে পালন|অভিনয় করতে বলা, এখানে ব্যবহারকারীর পরবর্তী "
        "বার্তা, এটি একটি কাল্পনিক কথোপকথন, একটি ভাষা মডেল হিসেবে",
        "el": "επόμενο μήνυμα του χρήστη, "
        "ορίστε το|η επόμενο|επόμενη μήνυμα|απάντηση του χρήστη, σε αυτό το παιχνίδι ρόλων, "
        "όπως ζητείται|αναφέρεται στο|στις "
        "prompt|σενάριο|οδηγίες, μου ζητήθηκε να παίξω|δημιουργήσω|υποδυθώ, το σενάριο ζητά|λέει|απαιτεί, "
        "αυτή|πρόκειται είναι|για μια φανταστική|προσομοιωμένη συνομιλία, ως γλωσσικό μοντέλο",
        "vi": "tin nhắn tiếp theo của người dùng, "
        "đây là tin nhắn tiếp theo của người dùng, trong buổi nhập vai này, "
        "theo yêu cầu của|trong prompt|kịch ?bản, tôi được yêu cầu đóng|tạo|nhập "
        "?vai, kịch bản yêu cầu|nói, đây là ?một cuộc|đoạn trò|hội chuyện|thoại giả|hư định|cấu|tưởng, "
        "là một mô hình ngôn ngữ",
        "th": "ข้อความถัดไปของผู้ใช้, ในบทบาทสมมตินี้, ตามที่ระบุในพรอมต์, ตามคำสั่งในพรอมต์, "
        "ฉันได้รับคำสั่งให้สวมบทบาท, ฉันถูกขอให้สวมบทบาท, "
        "นี่คือบทสนทนาสมมติ, นี่เป็นบทสนทนาสมมติ, ในฐานะโมเดลภาษา",
        "zh": "用户的下一条, 用户下一条, 作为用户我, 用户的下一句, "
        "以下是用户的下一, 以下是我作为用户, 这是用户的下一条, 作为用户我会这样, 在这个角色扮演, "
        "在這個角色扮演, 根据提示要求, 按照提示词, 根据提示词, 根據提示詞, "
        "按照剧本要求, 我被要求扮演, 我被要求生成, 你让我扮演, 下面我来生成, 我将生成, 接下来我会生成, "
        "这是一段虚构的对话, 这是一段模拟对话, 這是一段模擬對話, 作为一个语言模型, 作为语言模型, "
        "場景要求, 场景要求",
        "ja": "ユーザーの次の, ユーザーの返信, ユーザーとして私, "
        "次のユーザーメッセージ, ユーザーの次の発言, ユーザーとしての返答, このロールプレイでは, "
        "プロンプトの指示, プロンプトに従, 指示に従って生成, "
        "演じるよう指示, 役を演じるように言われ, 会話を生成します, メッセージを生成します, これは架空の会話, "
        "これは模擬的な会話, 言語モデルとして, シナリオによると, シナリオでは私",
        "ko": "사용자의 다음 메시지*|발화*|응답*, 사용자로서 저는, "
        "다음은 사용자의|사용자 ?다음 메시지*|답변*, 이 역할극에서*|롤플레이에서*, "
        "프롬프트의|프롬프트에 지시*|따라|따르면, 역할을 연기하라는|맡으라는, "
        "지시에 따라 생성*|연기*|사용자*, 대화를|메시지를 생성하겠습니다|생성합니다|생성해, "
        "이것은|이 ?대화는 가상의|가상|시뮬레이션 대화*, 언어 모델로서, 시나리오에 따르면|따라",
    }
)


def check(conversation: Conversation, context: Context) -> Found | None:
    """The first wording of it; quotations do not count."""
    others = _OTHERS.get(context.reading.language)
    for said in context.reading.turns:
        detail = f"The {said.role} talks about making the conversation."
        if found := said.wording(_ENGLISH, detail):
            return found
        if others and (found := said.wording(others, detail)):
            return found
    return None
