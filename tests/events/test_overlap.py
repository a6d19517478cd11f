"""Shared passages, excerpts, and the hit of a near duplicate."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from convo_events.excerpts import excerpt
from convo_events.overlap import near_duplicate_hit, overlap
from convo_events.similarity import Neighbour


def test_passages_are_longest_first_with_places_in_both() -> None:
    one = "I said: the old mill by the river, and then we left for home today."
    other = "They know THE OLD MILL by the river. Nobody minded. And then we left."
    long, short = overlap(one, other)
    assert long.text == "the old mill by the river"
    assert long.words == 6
    assert other[long.other_start : long.other_end] == "THE OLD MILL by the river"
    assert short.text == "and then we left"


def test_nothing_shared_is_no_passage() -> None:
    assert overlap("one two three", "three two one") == []
    assert overlap("", "anything") == []


def test_characters_count_as_words_in_chinese() -> None:
    assert [p.text for p in overlap("我昨天去公园", "他昨天去公园了")] == ["昨天去公园"]


@given(st.text(max_size=200), st.text(max_size=200))
def test_passages_are_in_both_texts(one: str, other: str) -> None:
    for passage in overlap(one, other):
        assert one[passage.start : passage.end] == passage.text
        assert 0 <= passage.other_start < passage.other_end <= len(other)


def test_a_long_flood_takes_one_pass() -> None:
    passages = overlap("na " * 20_000, "na " * 20_000)
    assert sum(passage.words for passage in passages) == 20_000


def test_the_hit_names_the_neighbour_and_shows_the_words() -> None:
    turns = ("Hi.", "Ask the old mill keeper")
    other = ("we ask the old mill keeper",)
    hit = near_duplicate_hit(Neighbour("run-1/3/0", 0.8), turns, other)
    assert (hit.reason, hit.layer, hit.precedence) == ("near_duplicate", 2, 1)
    assert (hit.neighbour, hit.similarity) == ("run-1/3/0", 0.8)
    assert (hit.turn, hit.excerpt) == (1, "Ask the old mill keeper")
    assert "80%" in hit.detail
    assert near_duplicate_hit(Neighbour("x", 0.8), turns, ()).turn is None


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
