"""How a turn begins: its first words, to see what too many conversations begin with. Pure."""

from itertools import islice

from convo_events.words import placed_words

OPENING_WORDS = 3
_LOOKED_AT = 400
_MOST = 100


def opening(text: str) -> str:
    """The first three folded words, with one space where the text has anything between them; empty for no words.

    In scripts without spaces that is the first three characters. At most 100 characters.
    """
    said, end = "", None
    for word, start, until in islice(placed_words(text[:_LOOKED_AT]), OPENING_WORDS):
        said += word if end in (None, start) else f" {word}"
        end = until
    return said[:_MOST]
