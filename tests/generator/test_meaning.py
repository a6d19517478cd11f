"""What a rewriting may do to a message, and what it may not, in many languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_generator.facts import numbers, units
from convo_generator.meaning import Rewriting, Strength, changed
from convo_generator.roughen import INPUT_LIMIT


def verdict(
    before: str,
    after: str,
    language: str = "en",
    strength: Strength = "medium",
    names: tuple[str, ...] = (),
) -> str | None:
    return changed(Rewriting(before, after, language, strength, names))


KEPT: list[tuple[str, str, str]] = [
    (
        "en",
        "Can you tell me why my order 4711 has not arrived?",
        "can u tell me why my order 4711 hasnt arrived",
    ),
    (
        "en",
        "I don't want the blue one, I paid $1,200.50 on March 3.",
        "i dont want the blue one i paid $1200.50 on march 3",
    ),
    ("en", "What is the capital of Peru, please?", "whats the capital of peru pls"),
    (
        "en",
        "Is it safe to eat? I left it out overnight.",
        "is it safe to eat?? i left it out overnite",
    ),
    ("en", "My name is Anna and I live in Leeds.", "my name is anna and i live in leeds"),
    (
        "en",
        "Please run `pip install x` again and tell me about user_id.",
        "pls run pip install x again n tell me about user_id",
    ),
    (
        "en",
        "See https://example.org/a?b=1 or mail me at jo@example.org.",
        "see https://example.org/a?b=1 or mail me at jo@example.org",
    ),
    ("en", 'He said "not before Monday" and left.', 'he said "not before monday" and left'),
    ("en", "It costs 50 dollars, which is 10% more.", "it costs 50 bucks which is 10 percent more"),
    ("en-GB", "The meeting is at 10:30, isn't it?", "the meetings at 10:30 isnt it?"),
    (
        "de",
        "Warum ist meine Bestellung 4711 noch nicht angekommen?",
        "warum ist meine bestellung 4711 noch nich angekommen",
    ),
    (
        "de",
        "Ich habe 1.200,50 € bezahlt und keine Rechnung bekommen.",
        "hab 1200,50 € bezahlt und keine rechnung bekommen",
    ),
    (
        "fr",
        "Je ne comprends pas pourquoi la facture est de 45,90 €.",
        "je comprends pas pk la facture est de 45,90€",
    ),
    ("fr", "Pouvez-vous m'aider avec mon colis ?", "pouvez vous m'aider avec mon colis?"),
    (
        "es",
        "¿Cuándo llega mi pedido? No lo he recibido.",
        "cuando llega mi pedido? no lo he recibido",
    ),
    (
        "pt",
        "Por que não consigo entrar na minha conta?",
        "por que nao consigo entrar na minha conta",
    ),
    ("it", "Quanto costa la spedizione a Torino?", "quanto costa la spedizione a torino"),
    (
        "nl",
        "Waarom is mijn pakket van 12 mei niet bezorgd?",
        "waarom is mn pakket van 12 mei nie bezorgd",
    ),
    ("ru", "Почему мой заказ номер 55 ещё не пришёл?", "почему мой заказ номер 55 еще не пришел"),
    ("pl", "Dlaczego nie mogę się zalogować na konto?", "dlaczego nie moge sie zalogowac na konto"),
    ("tr", "Siparişim neden hâlâ gelmedi, 3 gün oldu?", "siparişim neden hala gelmedi 3 gün oldu"),
    ("ar", "لماذا لم يصل الطلب رقم ٤٧١١؟", "لماذا لم يصل الطلب رقم 4711"),
    ("hi", "मेरा ऑर्डर १२ क्यों नहीं आया?", "मेरा ऑर्डर 12 क्यों नहीं आया"),
    ("he", "למה ההזמנה 88 עדיין לא הגיעה?", "למה ההזמנה 88 עדיין לא הגיעה"),
    ("ja", "注文番号12はどこですか？まだ届いていません。", "注文番号12はどこ？まだ届いていません"),
    ("zh", "我的订单１２为什么还没到？", "我的订单12为什么还没到"),
    ("ko", "주문 34는 언제 와요? 아직 못 받았어요.", "주문 34 언제 와요 아직 못 받았어요"),
    ("th", "ทำไมพัสดุหมายเลข 9 ยังไม่มา?", "ทำไมพัสดุหมายเลข 9 ยังไม่มา"),
    ("vi", "Tại sao đơn hàng 77 chưa đến?", "tại sao đơn hàng 77 chưa đến"),
    ("id", "Kenapa pesanan 21 saya belum sampai?", "knp pesanan 21 saya belum sampai"),
    ("el", "Πού είναι η παραγγελία 5; Δεν ήρθε.", "που ειναι η παραγγελια 5; δεν ηρθε"),
    ("uk", "Чому замовлення 8 не прийшло?", "чому замовлення 8 не прийшло"),
    ("en", "Could you explain a 30-year mortgage?", "cud u explain a 30yr mortgage"),
    ("cs", "Proč mi nepřišel balík číslo 7?", "proc mi neprisel balik cislo 7"),
    ("fi", "Miksi paketti 12 ei ole tullut?", "miksi paketti 12 ei oo tullu?"),
]
LOST: list[tuple[str, str, str, str]] = [
    ("en", "My order 4711 is late.", "my order is late", "number is missing: 4711"),
    ("en", "My order is late.", "my order 12 is late", "number was added: 12"),
    (
        "en",
        "I paid 1,200 dollars for it.",
        "i paid 1,200 euros for it",
        "currency or unit is missing: USD",
    ),
    ("en", "It is 3.50 a piece.", "it is 35.0 a piece", "number is missing"),
    ("en", "We met on 03/04/2024 in town.", "we met on 04/03/2024 in town", "a date was changed"),
    (
        "en",
        "I have two dogs and a cat at home.",
        "i have three dogs and a cat at home",
        "the word is missing: two",
    ),
    (
        "en",
        "Please come on Monday morning then.",
        "pls come on tuesday morning then",
        "the word is missing: monday",
    ),
    ("en", "See https://example.org/a for it.", "see example for it", "link or address is missing"),
    ("en", "Write to jo@example.org today.", "write to jo@example.com today", "link or address"),
    ("en", "Run `git push --force` on it.", "run git push on it", "the code is missing"),
    (
        "en",
        'The box says "keep dry" on top.',
        "the box says keep wet on top",
        "the quoted words are missing",
    ),
    (
        "en",
        "The field is called user_id there.",
        "the field is called user there",
        "user_id is missing",
    ),
    (
        "en",
        "I talked to Marta about it.",
        "i talked to someone about it",
        "the name is missing: Marta",
    ),
    ("en", "I do not like it at all.", "i like it at all", "a negation was lost"),
    ("en", "I like it very much here.", "i dont like it much here", "a negation was added"),
    ("en", "Can you help me with that?", "help me with that", "the question was lost"),
    (
        "en",
        "When does the shop open?",
        "where does the shop open?",
        "question word is missing: when",
    ),
    (
        "en",
        "The shop opens in the morning.",
        "the shop opens in the morning?",
        "asks where nothing was asked",
    ),
    (
        "en",
        "I need a new bike for work.",
        "i need a new bike for work (sighs)",
        "brackets or asterisks",
    ),
    (
        "en",
        "I need a new bike for work.",
        "*sighs* i need a new bike for work",
        "brackets or asterisks",
    ),
    ("en", "I need a new bike for work.", "User: i need a new bike for work", "label"),
    ("en", "I need a new bike for work.", "rewritten text: i need a new bike", "label was added"),
    ("en", "I need a new bike for work.", "", "it is empty"),
    (
        "en",
        "I need a new bike for work because mine was stolen last week.",
        "need bike",
        "too short",
    ),
    (
        "en",
        "I need a bike.",
        "i need a bike because the other one was stolen last week at the station",
        "too long",
    ),
    ("en", "How do I boil an egg?", "how long: put it in water that boils", "label was added"),
    ("en", "How do I boil an egg?", "how? put in hot water a while", "too little of the original"),
    ("de", "Ich habe es nicht bekommen.", "ich habe es bekommen", "a negation was lost"),
    ("de", "Wann kommt das Paket an?", "wo kommt das paket an?", "question word is missing: wann"),
    ("fr", "Je ne veux pas de sucre.", "je veux de sucre", "a negation was lost"),
    (
        "fr",
        "Combien coûte le billet pour Lyon ?",
        "combien coute le billet pour paris ?",
        "name is missing: Lyon",
    ),
    ("es", "No quiero el azul, gracias.", "quiero el azul gracias", "a negation was lost"),
    ("pt", "Eu não gosto disso.", "eu gosto disso", "a negation was lost"),
    ("it", "Non lo voglio più rosso.", "lo voglio piu rosso", "a negation was lost"),
    ("nl", "Ik heb geen rekening gekregen.", "ik heb rekening gekregen", "a negation was lost"),
    ("ru", "Я не получил посылку.", "я получил посылку", "a negation was lost"),
    ("ru", "Я не получил посылку.", "I did not get the parcel", "another script"),
    ("ar", "الطلب رقم ٤٧١١ هنا", "الطلب رقم ٤٧١٢ هنا", "number is missing: 4711"),
    ("ar", "لم يصل الطلب اليوم", "يصل الطلب اليوم", "a negation was lost"),
    ("hi", "मुझे यह नहीं चाहिए", "मुझे यह चाहिए", "a negation was lost"),
    ("ja", "まだ届いていません。", "もう届いています", "a negation was lost"),
    ("ja", "注文は12個です。", "注文は13個です", "number is missing: 12"),
    ("zh", "我没有收到包裹。", "我收到包裹了", "a negation was lost"),
    ("zh", "我要三个苹果。", "我要四个苹果", "the word is missing: 三"),
    ("ko", "아직 못 받았어요.", "이미 받았어요", "a negation was lost"),
    ("th", "ฉันไม่ได้รับพัสดุ", "ฉันได้รับพัสดุ", "a negation was lost"),
    ("tr", "Bu benim siparişim değil.", "bu benim siparişim", "a negation was lost"),
    ("tr", "Paket dün gelmedi.", "paket dün geldi", "a negation was lost"),
    ("cs", "Nemám účet u této banky.", "mam ucet u teto banky", "a negation was lost"),
    ("hu", "Nem kaptam meg a csomagot.", "kaptam meg a csomagot", "a negation was lost"),
    ("fi", "En saanut pakettia.", "saanut pakettia", "a negation was lost"),
    ("ar", "وصل الطلب ولم أستلمه", "وصل الطلب واستلمته", "a negation was lost"),
    ("id", "Saya tidak mau yang biru.", "saya mau yang biru", "a negation was lost"),
    ("vi", "Tôi không muốn cái này.", "tôi muốn cái này", "a negation was lost"),
]


@pytest.mark.parametrize(("language", "before", "after"), KEPT)
def test_what_people_do_when_they_type_is_taken(language: str, before: str, after: str) -> None:
    assert verdict(before, after, language) is None


@pytest.mark.parametrize(("language", "before", "after", "says"), LOST)
def test_what_loses_or_changes_something_is_not(
    language: str, before: str, after: str, says: str
) -> None:
    found = verdict(before, after, language)
    assert found is not None
    assert says in found


@pytest.mark.parametrize(("language", "text"), sorted({(k[0], k[1]) for k in (*KEPT, *LOST)}))
def test_the_same_text_means_the_same(language: str, text: str) -> None:
    assert verdict(text, text, language, "light") is None


def test_names_that_were_drawn_stay() -> None:
    before, after = "i got it from the acme store", "i got it from the other store"
    assert verdict(before, after) is None
    assert verdict(before, after, names=("Acme",)) == "the name is missing: Acme"


def test_strength_says_how_much_may_go() -> None:
    before = "I would really like to know about your opening hours please."
    after = "wanna know bout ur opening hours pls"
    assert verdict(before, after, strength="strong") is None
    assert verdict(before, after, strength="light") is not None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,200 1.200 1200 1 200", ["1200"] * 4),
        ("1,234.56 1.234,56", ["1234.56"] * 2),
        ("3,5 3.50 ٣٫٥", ["3.5"] * 3),
        ("0.125", ["0.125"]),
        ("1,00,000", ["100000"]),
        ("192.168.1.10", ["192", "168", "1", "10"]),
        ("１２ १२ ١٢ 12", ["12"] * 4),
        ("10:30", ["10", "30"]),
    ],
)
def test_numbers_are_the_same_however_they_are_written(text: str, found: list[str]) -> None:
    assert sorted(numbers(text).elements()) == sorted(found)


def test_currencies_are_the_same_however_they_are_written() -> None:
    assert units("$50") == units("50 dollars") == units("50 USD") == {"USD": 1}
    assert units("€3 and 4 %") == {"EUR": 1, "%": 1}
    assert units("a real problem, try it") == {}


@given(st.text(max_size=300), st.text(max_size=300), st.sampled_from(["en", "de", "zh", "xx", ""]))
def test_no_text_breaks_it(before: str, after: str, language: str) -> None:
    found = verdict(before, after, language)
    assert found is None or 0 < len(found) < 400


@pytest.mark.parametrize(
    "sign", ["(", "[", '"', "1,", "a-", "«", "`", "@a.", "9 ", "Ab ", "\n", "a:"]
)
def test_the_longest_texts_end(sign: str) -> None:
    """Patterns that try again at each sign would need hours for these."""
    text = sign * (INPUT_LIMIT // len(sign))
    assert verdict(text, text) in (None, "it is empty")
