"""What of a message has to survive a rewriting as it is: numbers, money, dates, links, code, quotes, names. Pure.

Texts are compared in plain form: compatibility forms undone (NFKC), digits of every script as ASCII.
"""

import re
import unicodedata
from collections import Counter

_SEPARATORS = {"\u066b": ".", "\u066c": ",", "\u2019": "'"}
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'`，。！？、]+", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_CODE = re.compile(r"```(?:\w*\n)?(.*?)```|`([^`\n]{1,400})`", re.DOTALL)
_QUOTED = re.compile(
    r"“([^“”\n]{1,300})”|„([^„“”\n]{1,300})[“”]|«([^«»\n]{1,300})»|「([^「」\n]{1,300})」|『([^『』\n]{1,300})』"
    r"|\"([^\"\n]{1,300})\"|(?<![\w'])'([^'\n]{2,300})'(?![\w'])"
)
_NUMBER = re.compile(r"(?<!\d)\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,']\d+)*", re.ASCII)
_DATE = re.compile(r"(?<!\d)(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?!\d)", re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.:#+/-]{0,100}[A-Za-z0-9_])?", re.ASCII)
_IDENTIFIER = re.compile(
    r"_|::|[a-z][A-Z]|[A-Za-z][.:#+/-]{0,3}\d|\d[.:#+/-]{0,3}[A-Za-z]|\w\.[a-z]{1,4}$", re.ASCII
)
_MEASURE = re.compile(r"\d+(?:-[a-z]+){1,4}", re.ASCII)
"""Such as 30-year: the number counts, the word may be shortened."""
_WORD = re.compile(r"[^\W\d_](?:['’-]?[^\W\d_])*")
_SENTENCE_STARTS = frozenset('.!?…:;。！？؟।"“„«「『(*-•>–—\n')
_UNITS = {
    "USD": r"us\$|\$|usd|dollars?|bucks?",
    "EUR": r"€|eur|euros?",
    "GBP": r"£|gbp|quid|pounds?",
    "JPY": r"¥|jpy|yen|円|엔",
    "CNY": r"cny|rmb|yuan|元|块|塊|人民币",
    "INR": r"₹|inr|rs\.?|rupees?|रुपये|रुपए",
    "RUB": r"₽|rub|руб\w*|р\.",
    "KRW": r"₩|krw|won|원",
    "BRL": r"r\$|brl|reais|real",
    "TRY": r"₺|try|tl|lira",
    "PLN": r"pln|zł|złotych|zloty",
    "CHF": r"chf|franken|francs?",
    "other": r"[₴₫฿₦₱₪₸₡]",
    "%": r"%|٪|percent|per cent|pct|prozent|por ciento|por cento|pour cent|per cento|процент\w*|procent|yüzde",
}
_ANY_UNIT = "|".join(f"(?P<u{n}>{pattern})" for n, pattern in enumerate(_UNITS.values()))
_UNIT_BEFORE = re.compile(rf"(?<!\w)(?:{_ANY_UNIT})[ ]?(?=\d)", re.IGNORECASE)
_UNIT_AFTER = re.compile(rf"\d[ ]?(?:{_ANY_UNIT})(?![^\W\d])", re.IGNORECASE)


def plain(text: str) -> str:
    """The text in its plain form."""
    signs = []
    for sign in unicodedata.normalize("NFKC", text):
        digit = unicodedata.decimal(sign, None) if not sign.isascii() else None
        signs.append(_SEPARATORS.get(sign, sign) if digit is None else str(digit))
    return "".join(signs)


def folded(text: str) -> str:
    """Plain, in lower case, without accents."""
    parts = unicodedata.normalize("NFD", plain(text).casefold())
    return "".join(sign for sign in parts if not _is_accent(sign))


def _is_accent(sign: str) -> bool:
    """Accents of Latin, Greek and Cyrillic; signs of other scripts that combine are letters of their own."""
    return "\u0300" <= sign <= "\u036f" or "\u064b" <= sign <= "\u0652"


def squashed(text: str) -> str:
    """Nothing but letters and digits, folded."""
    return "".join(sign for sign in folded(text) if _in_word(sign))


def _joins(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Mc")


def links(text: str) -> Counter[str]:
    """URLs and e-mail addresses."""
    urls = (found.rstrip(".,;:!?)]}»”") for found in _URL.findall(text))
    return Counter([*urls, *(found.rstrip(".-").casefold() for found in _EMAIL.findall(text))])


def code(text: str) -> list[str]:
    """Contents of code spans and blocks, with white space as single spaces."""
    return [" ".join((block or span).split()) for block, span in _CODE.findall(text)]


def quotes(text: str) -> list[str]:
    """What stands in quotation marks, squashed."""
    found = (next(part for part in parts if part) for parts in _QUOTED.findall(text))
    return [content for quote in found if (content := squashed(quote))]


def numbers(text: str) -> Counter[str]:
    """Every number, thousands joined and a point before decimals; what is not one number, such as a date, in parts."""
    return Counter(part for found in _NUMBER.findall(plain(text)) for part in _number(found))


def _number(found: str) -> list[str]:
    groups = re.split(r"[.,' ]", found)
    signs = re.findall(r"[.,' ]", found)
    if not signs:
        return [found]
    decimals = ""
    if len(set(signs)) > 1 and signs.count(signs[-1]) == 1:
        decimals, groups, signs = groups[-1], groups[:-1], signs[:-1]
    elif len(signs) == 1 and not _grouped(groups):
        decimals, groups, signs = groups[-1], groups[:-1], []
    if len(set(signs)) > 1 or (signs and not _grouped(groups)):
        return re.split(r"[.,' ]", found)
    decimals = decimals.rstrip("0")
    return ["".join(groups) + (f".{decimals}" if decimals else "")]


def _grouped(groups: list[str]) -> bool:
    """Whether these are thousands, or lakhs and crores as in 1,00,000."""
    first, *middle, last = groups
    whole = 1 <= len(first) <= 3 and not first.startswith("0") and len(last) == 3
    return whole and (all(len(g) == 3 for g in middle) or all(len(g) == 2 for g in middle))


def units(text: str) -> Counter[str]:
    """Currencies and percent signs that stand at a number, whichever way they are written."""
    text = plain(text)
    names = list(_UNITS)
    return Counter(
        names[int(str(found.lastgroup)[1:])]
        for pattern in (_UNIT_BEFORE, _UNIT_AFTER)
        for found in pattern.finditer(text)
    )


def dates(text: str) -> Counter[tuple[int, int, int]]:
    """Dates in digits, in the order of their parts."""
    found = _DATE.findall(plain(text))
    return Counter((int(one), int(two), int(three)) for one, _, two, three in found)


def identifiers(text: str) -> list[str]:
    """Words that are no words: order numbers, names in code, file names, sizes."""
    found = _TOKEN.findall(plain(text))
    return [token for token in found if _IDENTIFIER.search(token) and not _MEASURE.fullmatch(token)]


def names(text: str) -> list[str]:
    """Words with a capital letter inside of sentences."""
    found = []
    for word in _WORD.finditer(text):
        at = word.start()
        while at > 0 and text[at - 1] in " \t\r":
            at -= 1
        starts = at == 0 or text[at - 1] in _SENTENCE_STARTS
        said = word.group()
        if not starts and said[0].isupper() and len(said) > 1 and said[:2] not in ("I'", "I’"):
            found.append(said)
    return found


def words(text: str) -> list[str]:
    """The words of a text, folded, with apostrophes left out of them."""
    signs = (sign if _in_word(sign) else " " for sign in folded(text) if sign not in "'’")
    return "".join(signs).split()


def _in_word(sign: str) -> bool:
    """Letters, digits, and the signs that scripts such as Devanagari write around their letters."""
    return sign.isalnum() or (not sign.isascii() and _joins(sign))
