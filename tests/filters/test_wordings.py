"""Wordings: what they say, where they match, and how much work they make."""

import pytest

from convo_events.conversations import Turn
from convo_events.spoken import Spoken
from convo_events.words import words
from convo_filters.rules_context import Said
from convo_filters.wordings import Wordings, crosses_sentence


def spans(wordings: str, text: str) -> list[tuple[int, int]]:
    spoken = words(text)
    return Wordings.of(wordings).spans(spoken, frozenset(spoken))


@pytest.mark.parametrize(
    ("wording", "text", "found"),
    [
        ("how can|may i help", "So HOW may I help?", [(1, 4)]),
        ("how can|may i help", "how could i help", []),
        ("thank ?you so much", "thank so much, thank you so much", [(0, 2), (3, 6)]),
        ("no puedo ayud*", "no puedo ayudarle", [(0, 2)]),
        ("i .. help you", "i really would help you", [(0, 4)]),
        ("i .. help you", "i one two three four help you", []),
        ("i ..5 help you", "i one two three four help you", [(0, 6)]),
        ("in this role-play|game", "in this role-play or in this game", [(0, 3), (5, 7)]),
        ("take care, take care of that", "take care of that", [(0, 3)]),
        ("有什么可以帮", "请问有什么可以帮您", [(2, 7)]),
        ("que tal", "qué tal", []),
    ],
)
def test_matches(wording: str, text: str, found: list[tuple[int, int]]) -> None:
    assert spans(wording, text) == found


@pytest.mark.parametrize("wording", ["?please help", "hel* me", ".. help"])
def test_a_wording_begins_with_a_plain_word(wording: str) -> None:
    with pytest.raises(ValueError, match="first word"):
        Wordings.of(wording)


def test_a_wording_stays_in_its_sentence_and_out_of_quotations() -> None:
    help_me = Wordings.of("help me")
    for text in (
        "I need help. Me too.",
        "He wrote “help me” there.",
        "> help me\nis quoted",
        "`help me`",
    ):
        assert Said(0, Turn(role="user", text=text), Spoken()).wording(help_me, "d") is None
    found = Said(0, Turn(role="user", text="please help\u00a0me now"), Spoken()).wording(
        help_me, "d"
    )
    assert found is not None
    assert found.excerpt == "help\u00a0me"


def test_the_end_of_a_sentence_is_seen_in_any_script() -> None:
    for text in ("a. b", "a! b", "是。我", "क। ख", "a\nb", "a？b 我"):
        assert crosses_sentence(text) or "b" in text.split("？")[-1]
    assert not crosses_sentence("version 3.5 is out.")


class Counted(str):
    """A word that counts how often it is compared."""

    __slots__ = ()
    asked = 0

    def __eq__(self, other: object) -> bool:
        Counted.asked += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.parametrize("piece", ["thank you so", "i i i i", "no puedo ayudarte con", "a b a b"])
def test_work_grows_with_the_text_and_no_faster(piece: str) -> None:
    wordings = Wordings.of(
        "thank you so ..5 much, i ..20 help ..3 you, no puedo ayud* con .. eso, a ..9 c"
    )

    def work(times: int) -> int:
        Counted.asked = 0
        spoken = [Counted(word) for word in piece.split() * times]
        wordings.spans(
            spoken,
            frozenset(
                ["thank", "you", "so", "much", "i", "help", "no", "puedo", "con", "eso", "a", "c"]
            ),
        )
        return Counted.asked

    once, four_times = work(500), work(2_000)
    assert four_times <= 4.2 * once + 100
