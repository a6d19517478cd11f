"""Small words that carry the meaning of a message, by language: negations, question words, numbers and days.

Lower case without accents, as ``facts.folded`` makes them. A group is one word with its short forms; the first is how
it is named. Languages without spaces between words, or that bind such words to others, are searched sign by sign.
"""

import re
from collections import Counter
from functools import lru_cache

from convo_generator.facts import folded, words

UNSPACED = frozenset({"zh", "ja", "th", "ko", "my", "km", "lo"})

NEGATIONS: dict[str, str] = {
    "en": "not no never none nothing nobody nowhere neither nor without cannot nope nah aint dont doesnt didnt "
    "isnt arent wasnt werent hasnt havent hadnt cant wont wouldnt couldnt shouldnt mustnt neednt mightnt "
    "shant nthing nvr",
    "de": "nicht nich nit net ned kein keine keinen keinem keiner keines nie niemals nichts nix niemand ohne "
    "nirgends nirgendwo nein",
    "fr": "pas jamais rien aucun aucune guere sans non nulle",
    "es": "no nunca jamas nada nadie ningun ninguno ninguna sin tampoco ni",
    "pt": "nao n nunca jamais nada ninguem nenhum nenhuma sem nem tampouco",
    "it": "non no mai niente nulla nessuno nessun nessuna senza neanche nemmeno ne",
    "nl": "niet nie geen nooit niets niks niemand zonder nergens nee",
    "sv": "inte aldrig ingen inget inga utan nej ej",
    "da": "ikke aldrig ingen intet uden nej",
    "no": "ikke aldri ingen ingenting uten nei",
    "ru": "не нет ни никогда без нельзя ничего никто никуда нигде",
    "uk": "не ні ніколи без ніхто ніде нічого немає",
    "pl": "nie nigdy bez nic nikt nigdzie zaden zadna zadne",
    "cs": "ne neni nikdy bez nic nikdo nikde zadny zadna zadne",
    "tr": "degil degıl deil yok hayır hayir asla hic hicbir",
    "ar": "لا لم لن ليس ليست غير بدون مش ما ولا ولم ولن وليس فلا فلم",
    "fa": "نه نيست نیست بدون هیچ هرگز",
    "he": "לא אין בלי אל אף",
    "hi": "नहीं नही मत ना बिना",
    "id": "tidak tak bukan jangan belum nggak ngga gak ga gk tanpa tdk",
    "vi": "khong ko k chua chang dung kg",
    "el": "δεν δε μην μη οχι χωρις ποτε κανενα τιποτα",
    "fi": "ei en et emme ette eivat ala alkaa ilman",
    "hu": "nem ne sem nincs nincsenek soha senki semmi nelkul",
    "ro": "nu n niciodata nimic nimeni fara nici",
    "zh": "不 没 沒 無 无 别 別 未 非",
    "ja": "ない なかっ なく ません ねえ ねぇ ねー 無 不",
    "ko": "않 못 없 아니 안 말",
    "th": "ไม่ มิ อย่า",
}
BOUND: dict[str, re.Pattern[str]] = {
    "tr": re.compile(
        r"m(?:edi|adı|iyor|ıyor|uyor|e[zm]\b|a[zm]\b|eyecek|ayacak|emis|amıs|eden|adan)"
    ),
    "cs": re.compile(r"\bne\w{2,}"),
    "sk": re.compile(r"\bne\w{2,}"),
    "fa": re.compile(r"\bن(?:می|مي)"),
}
"""Negations that are a part of the verb."""
QUESTIONS: dict[str, str] = {
    "en": "what|whats|wat|wut|wot|wats why|y|whys how|hw|hows when|wen|whens where|wheres which who|whos whose "
    "whom",
    "de": "was|wasn wie wo wann warum|warum wer wen wem welche|welcher|welches|welchen wieso weshalb woher "
    "wohin wieviel|wieviele",
    "fr": "quoi|koi pourquoi|pk|pq|pkoi comment|cmt ou quand|qd qui quel|quelle|quels|quelles|kel combien|cb",
    "es": "que|q|k como|cmo cuando|cndo donde|dnde quien|quienes cual|cuales cuanto|cuanta|cuantos|cuantas "
    "porque|xq|pq",
    "pt": "que|q|oq como|cmo quando|qnd|qdo onde|ond quem|qm qual|quais quanto|quanta|quantos|quantas porque|pq",
    "it": "che|ke cosa|cs come|cm quando|qnd dove|dv chi|ki quale|quali quanto|quanta|quanti|quante "
    "perche|xke|xche|xk",
    "nl": "wat hoe waar wanneer waarom wie welke|welk hoeveel",
    "sv": "vad|va hur var nar varfor vem vilken|vilket|vilka",
    "da": "hvad hvordan hvor hvornar hvorfor hvem hvilken|hvilket|hvilke",
    "no": "hva hvordan hvor nar hvorfor hvem hvilken|hvilket|hvilke",
    "ru": "что|че|чо|што как|кк где когда почему|почем зачем кто какои|какая|какое|какие сколько|скок куда "
    "откуда",
    "uk": "що|шо як де коли чому хто якии|яка|яке|які скільки куди",
    "pl": "co jak gdzie kiedy dlaczego|czemu kto ktory|ktora|ktore ile czy skad dokad",
    "cs": "co jak kde kdy proc kdo ktery|ktera|ktere kolik kam",
    "tr": "ne nasıl|nasil nerede|nerde neden|niye kim hangi kac ne|ne mi|mı|mu|mü",
    "ar": "ما|ايش|شو ماذا كيف اين|وين متى لماذا|ليش|ليه من هل كم اي",
    "fa": "چه|چی چطور|چگونه کجا کی چرا ایا کدام چند",
    "he": "מה איך איפה מתי למה|מדוע מי האם כמה איזה|איזו",
    "hi": "क्या|kya कैसे कहाँ|कहां कब क्यों|क्यूं कौन कौनसा कितना|कितने|कितनी",
    "id": "apa|ap bagaimana|gimana|gmn dimana|mana kapan|kpn kenapa|mengapa|knp siapa berapa|brp",
    "vi": "gi sao nao dau bao may ai",
    "el": "τι πως που ποτε γιατι ποιος|ποια|ποιο ποσο|ποσα",
    "zh": "什么|什麼|啥 怎么|怎麼|咋 哪 谁|誰 多少 为什么|為什麼 吗|嗎|么 几|幾",
    "ja": "何|なに|なん どう どこ いつ なぜ|どうして 誰|だれ どれ|どの|どちら いくら いくつ",
    "ko": "무엇|뭐|뭘 어떻게|어케 어디 언제 왜 누구|누가 어느|어떤 얼마 몇",
    "th": "อะไร|อาไร อย่างไร|ยังไง|ไง ที่ไหน|ไหน เมื่อไหร่|เมื่อไร ทำไม ใคร เท่าไหร่|เท่าไร ไหม|มั้ย|หรือ กี่",
}
FIXED: dict[str, str] = {
    "en": "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty "
    "hundred thousand|thou million|mil billion half twice dozen monday|mon tuesday|tue|tues wednesday|wed "
    "thursday|thu|thur|thurs friday|fri saturday|sat sunday|sun january|jan february|feb april|apr "
    "june|jun july|jul august|aug september|sept|sep october|oct november|nov december|dec today|tday "
    "tomorrow|tmrw|tmr|tomo|tomoro yesterday|yday tonight|tonite always|alwys only",
    "de": "zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreißig hundert tausend "
    "million|millionen halb heute|heut morgen gestern montag dienstag mittwoch donnerstag freitag samstag "
    "sonntag januar februar marz april juni juli august september oktober november dezember immer nur",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze vingt trente cent mille million|millions "
    "demain|dem hier lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril juin "
    "juillet aout septembre octobre novembre decembre toujours|tjrs|tjs seulement",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien mil millon|millones "
    "hoy ayer lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio "
    "julio agosto septiembre octubre noviembre diciembre siempre|smpre solo",
    "pt": "dois duas tres quatro cinco seis sete oito nove dez onze doze vinte trinta cem mil milhao|milhoes "
    "hoje|hj amanha|amnh ontem segunda terca quarta quinta sexta sabado domingo janeiro fevereiro marco "
    "abril maio junho julho agosto setembro outubro novembro dezembro sempre|smp so",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta cento mille "
    "milione|milioni oggi domani|dom ieri lunedi martedi mercoledi giovedi venerdi sabato domenica "
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre "
    "sempre|smpr solo",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf twintig honderd duizend vandaag morgen "
    "gisteren maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart april "
    "juni juli augustus september oktober november december altijd alleen",
    "ru": "два две три четыре пять шесть семь восемь девять десять двадцать сто тысяча|тыща|тысячи миллион "
    "сегодня|сегодня|сёдня завтра вчера понедельник вторник среда четверг пятница суббота воскресенье "
    "всегда только|тока",
    "pl": "dwa dwie trzy cztery piec szesc siedem osiem dziewiec dziesiec sto tysiac dzis|dzisiaj jutro wczoraj "
    "zawsze tylko",
    "tr": "iki uc dort bes altı yedi sekiz dokuz on yirmi yuz bin bugun yarın dun pazartesi salı carsamba "
    "persembe cuma",
    "id": "dua tiga empat lima enam tujuh delapan sembilan sepuluh ratus ribu juta besok|bsk kemarin|kmrn "
    "selalu hanya|cuma",
    "zh": "二 三 四 五 六 七 八 九 十 百 千 万|萬 两|兩 今天 明天 昨天",
    "ja": "二 三 四 五 六 七 八 九 十 百 千 万 今日|きょう 明日|あした 昨日|きのう",
    "ko": "둘 셋 넷 다섯 여섯 오늘 내일|낼 어제",
    "ar": "اثنين ثلاثة اربعة خمسة ستة سبعة ثمانية تسعة عشرة مية|مئة الف اليوم غدا|بكرة امس|امبارح",
    "hi": "दो तीन चार पांच|पाँच छह|छः सात आठ नौ दस सौ हजार|हज़ार लाख आज कल",
    "th": "สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ ร้อย พัน หมื่น วันนี้ พรุ่งนี้ เมื่อวาน",
    "vi": "hai ba bon nam sau bay tam chin muoi tram nghin|ngan",
}


def negations(text: str, language: str) -> int:
    """How many negations a text has; 0 in a language that has no table."""
    found = _counts(text, NEGATIONS.get(language, ""), language).total()
    return found + (len(BOUND[language].findall(folded(text))) if language in BOUND else 0)


def question_words(text: str, language: str) -> Counter[str]:
    """Question words, each under the name of its group."""
    return _counts(text, QUESTIONS.get(language, ""), language)


def fixed_words(text: str, language: str) -> Counter[str]:
    """Numbers in words, days and months, each under the name of its group."""
    return _counts(text, FIXED.get(language, ""), language)


def _counts(text: str, table: str, language: str) -> Counter[str]:
    if not table:
        return Counter()
    groups = _groups(table)
    if language not in UNSPACED:
        return Counter(groups[word] for word in words(text) if word in groups)
    plain, found = folded(text), Counter[str]()
    # Longest first, each taken out, so that a short word is not found inside a longer one.
    for form in sorted(groups, key=len, reverse=True):
        if times := plain.count(form):
            found[groups[form]] += times
            plain = plain.replace(form, " ")
    return found


@lru_cache(maxsize=128)
def _groups(table: str) -> dict[str, str]:
    """Each form to the name of its group."""
    found: dict[str, str] = {}
    for group in table.split():
        name, *forms = group.split("|")
        for form in (name, *forms):
            found.setdefault(folded(form), name)
    return found
