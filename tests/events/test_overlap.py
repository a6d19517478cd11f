"""Shared passages, excerpts, and the hit of a near duplicate."""

import unicodedata
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from convo_events.conversations import Overlap
from convo_events.excerpts import excerpt
from convo_events.overlap import MOST_OVERLAPS, Passage, near_duplicate_hit, passages
from convo_events.similarity import Neighbour, shingles


def words_of(turns: Sequence[str], found: list[Passage]) -> list[str]:
    return [turns[p.place.turn][p.place.start : p.place.end] for p in found]


def test_passages_are_weightiest_first_with_places_in_both() -> None:
    one = ("Hi.", "I said: the old mill by the river, and then we left for home today.")
    other = ("They know THE OLD MILL by the river.", "Nobody minded. And then we left.")
    found = passages(one, other)
    assert words_of(one, found) == ["the old mill by the river", "and then we left"]
    long = found[0].place
    assert other[long.other_turn][long.other_start : long.other_end] == "THE OLD MILL by the river"
    assert (found[0].words, found[1].place.other_turn) == (6, 1)


def test_a_passage_goes_where_it_is_longest() -> None:
    one = ("we have to go now, my dear friend",)
    other = ("we have to go back", "we have to go now, my dear friend")
    assert [p.place.other_turn for p in passages(one, other)] == [1]


def test_nothing_shared_is_no_passage() -> None:
    assert passages(["one two three"], ["three two one"]) == []
    assert passages([""], ["anything"]) == []
    assert passages([], []) == []


def test_characters_count_as_words_in_chinese() -> None:
    one = ["我昨天去公园"]
    assert words_of(one, passages(one, ["他昨天去公园了"])) == ["昨天去公园"]


def test_template_text_is_shown_only_where_nothing_else_is_shared() -> None:
    mask = shingles(["thank you for calling the bakery on main street"])
    one = ("Thank you for calling the bakery on main street!", "my bread is too dark")
    other = ("thank you for calling the bakery on main street", "But my bread is too dark.")
    assert words_of(one, passages(one, other, mask)) == ["my bread is too dark"]
    assert words_of(one, passages(one, other[:1], mask)) == [one[0][:-1]]


@given(st.lists(st.text(max_size=200), max_size=3), st.lists(st.text(max_size=200), max_size=3))
def test_passages_are_in_both_texts(one: list[str], other: list[str]) -> None:
    for passage in passages(one, other):
        at = passage.place
        assert 0 <= at.start < at.end <= len(one[at.turn])
        assert 0 <= at.other_start < at.other_end <= len(other[at.other_turn])


def test_a_long_flood_takes_one_pass() -> None:
    assert sum(p.words for p in passages(["na " * 20_000], ["na " * 20_000])) == 20_000


def test_the_hit_names_the_neighbour_and_shows_the_words() -> None:
    turns = ("Hi.", "Ask the old mill keeper")
    other = ("we ask the old mill keeper",)
    hit = near_duplicate_hit(Neighbour("run-1/3/0", 0.8), turns, other)
    assert (hit.reason, hit.layer, hit.precedence) == ("near_duplicate", 2, 1)
    assert (hit.neighbour, hit.similarity) == ("run-1/3/0", 0.8)
    assert (hit.turn, hit.excerpt) == (1, "Ask the old mill keeper")
    assert hit.overlaps == (
        Overlap(turn=1, start=0, end=23, other_turn=0, other_start=3, other_end=26),
    )
    assert "80%" in hit.detail
    assert near_duplicate_hit(Neighbour("x", 0.8), turns, ()).turn is None


def test_a_hit_holds_a_bounded_number_of_places() -> None:
    turns = [f"turn{at} has words of its{at} own" for at in range(100)]
    hit = near_duplicate_hit(Neighbour("x", 1), turns, list(reversed(turns)))
    assert len(hit.overlaps) == MOST_OVERLAPS
    assert (hit.overlaps[0].turn, hit.overlaps[0].other_turn) == (0, 99)


@given(st.text(st.sampled_from("ae\u0301\u0308\u200d👩🏽🚀क्षि\r\n"), max_size=400))
def test_u02_an_excerpt_is_never_cut_inside_a_character(text: str) -> None:
    cut = excerpt(text, 50)
    assert text.startswith(cut)
    assert len(cut) <= 50
    if len(cut) > 10 and len(cut) < len(text):
        following = text[len(cut)]
        assert unicodedata.category(following)[0] != "M" or len(cut) == 50


def test_u02_known_clusters_stay_whole() -> None:
    assert excerpt("a" * 199 + "e\u0301b") == "a" * 199
    assert excerpt("a" * 198 + "👩‍🚀 go") == "a" * 198
    assert excerpt("x" + "\u0301" * 500) == "x" + "\u0301" * 199
    assert excerpt("short") == "short"
