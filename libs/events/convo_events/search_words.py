"""Words of a text in any script, as the search of the corpus has them. Pure: the projector writes, the gateway asks.

Case, width and the marks that writers leave out (accents, Arabic and Hebrew points, tatweel) do not matter, and nothing
is stemmed. Scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese, Tibetan) are cut into pairs of
characters; the last character of a stretch stands alone too, so that any character is the beginning of a word.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

WORD_MOST = 40
"""Characters of a word that count."""
WORDS_MOST = 4_000
"""Words of a conversation that can be found."""
TEXT_MOST = 40_000
"""Characters of a conversation that are read."""
ASKED_MOST = 16
"""Words of a question that count."""

_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LEFT_OUT = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
_MARKS = "\u0300-\u036f\u0900-\u0963\u0966-\u0dff"
_LETTERS = f"[^\\W_{_UNSPACED}]"
_STRETCH = re.compile(f"(?P<unspaced>[{_UNSPACED}]+)|{_LETTERS}+(?:[{_MARKS}]+{_LETTERS}*)*")
_ASCII = re.compile("[a-z0-9]+")
_PART = re.compile(r'"([^"]*)"?|[^"\s]+')


def words(text: str) -> Iterator[str]:
    """The words of a text, in order, without end marks of the question."""
    plain = _plain(text)
    if plain.isascii():
        yield from (word[:WORD_MOST] for word in _ASCII.findall(plain))
        return
    for found in _STRETCH.finditer(plain):
        stretch = found[0]
        if found["unspaced"] is None:
            yield stretch[:WORD_MOST]
            continue
        yield from (stretch[at : at + 2] for at in range(len(stretch)))


def document(texts: Iterable[str]) -> str:
    """The words of a conversation with their places, in the notation of ``tsvector``; bounded whatever is said."""
    places: dict[str, list[int]] = {}
    at, left = 0, TEXT_MOST
    for text in texts:
        for word in words(text[:left]):
            at += 1
            if at > WORDS_MOST:
                break
            places.setdefault(word, []).append(at)
        left -= len(text)
        if left <= 0:
            break
        at += 1  # a phrase does not go on in the next turn
    return " ".join(f"'{word}':{','.join(map(str, where))}" for word, where in places.items())


def question(text: str) -> str | None:
    """What is asked for, in the notation of ``tsquery``; None where no word is in it.

    All words have to be there; what is typed without spaces or in double quotes, one word after the other. The last
    word may be only begun.
    """
    parts: list[str] = []
    left = ASKED_MOST
    for found in _PART.finditer(text):
        quoted = found[1] is not None
        asked = list(words(found[1] if quoted else found[0]))[:left]
        left -= len(asked)
        if asked:
            parts.append(_phrase(asked, begun=not quoted and found.end() == len(text)))
    return " & ".join(parts) or None


def _phrase(asked: list[str], *, begun: bool) -> str:
    *others, last = asked
    if len(last) == 1 and others and len(others[-1]) == 2 and others[-1][1] == last:
        # The end of a stretch of pairs: the pair before it says it already, and more may follow in the text.
        *others, last = others
    # One character of a script without spaces is the beginning of a pair wherever it stands.
    begins = begun or (
        len(last) == 1 and _STRETCH.fullmatch(last) is not None and _is_unspaced(last)
    )
    end = f"'{last}':*" if begins else f"'{last}'"
    return " <-> ".join([*(f"'{word}'" for word in others), end])


def _is_unspaced(word: str) -> bool:
    found = _STRETCH.fullmatch(word)
    return found is not None and found["unspaced"] is not None


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    bare = _LEFT_OUT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", bare).casefold()
