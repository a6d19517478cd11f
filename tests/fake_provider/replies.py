"""Plausible English text written from draws: sentence shapes filled from the vocabulary."""

from string import Formatter
from typing import NamedTuple

from tests.fake_provider.draw import Draw
from tests.fake_provider.vocabulary import SLOTS


class _Shape(NamedTuple):
    """A sentence with gaps: the text with %s in each gap, and the words that fit each one."""

    text: str
    gaps: tuple[tuple[str, ...], ...]
    words: int


def _shape(sentence: str) -> _Shape:
    parts = list(Formatter().parse(sentence))
    text = "".join(literal + ("%s" if name else "") for literal, name, _, _ in parts)
    gaps = tuple(SLOTS[name] for _, name, _, _ in parts if name)
    return _Shape(text, gaps, len(text.split()))


_SHAPES = tuple(
    map(
        _shape,
        (
            "The {adjective} {noun} {verbs} {adverb} when {nouns} {verb} the {noun}.",
            "I {past} the {noun} near {adjective} {nouns} and {past} {adverb}.",
            "You could {verb} one {noun}, then {verb} the {adjective} {nouns}.",
            "My {noun} {past} while {going} with {adjective} {nouns}.",
            "Do {adjective} {nouns} {verb} before the {noun} {verbs}?",
            "We were {going} towards some {nouns} because the {noun} {past}.",
            "Sometimes {going} {adverb} can {verb} this {adjective} {noun}.",
            "What if the {noun} {past} between the {nouns} and that {adjective} {noun}?",
            "They {verb} {nouns} {adverb}, so please {verb} your {noun}.",
            "It is {adjective} to {verb} the {nouns} after {going} for the {noun}.",
            "Most {nouns} {verb} more {adverb} than {adjective} {nouns}.",
            "She {past} our {noun}, but it never {past} the {adjective} {noun}.",
        ),
    )
)


def sentence(draw: Draw) -> str:
    """One sentence, seven to thirteen words."""
    return _filled(draw.pick(_SHAPES), draw)


def _filled(shape: _Shape, draw: Draw) -> str:
    numbers = draw.numbers(len(shape.gaps))
    filled = [words[at % len(words)] for words, at in zip(shape.gaps, numbers, strict=True)]
    return shape.text % tuple(filled)


def passage(draw: Draw, words: int = 40) -> str:
    """Whole sentences, at least `words` words in total and at most about ten more."""
    written: list[str] = []
    count = 0
    while count < words:
        shape = draw.pick(_SHAPES)
        written.append(_filled(shape, draw))
        count += shape.words
    return " ".join(written)


def label(draw: Draw) -> str:
    """Two words for a title or a name."""
    return f"{draw.pick(SLOTS['adjective'])} {draw.pick(SLOTS['noun'])}"
