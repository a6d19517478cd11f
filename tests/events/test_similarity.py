"""Shingles, bands and neighbours. Numbers in names are public faults that must not come back."""

import random
import subprocess
import sys
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import Pool, PromptSet
from convo_events.similarity import (
    bands,
    containment,
    decode_signature,
    encode_signature,
    jaccard,
    nearest,
    shingles,
    signature,
    template_mask,
    too_near,
)

SETS = st.frozensets(st.integers(0, 60), max_size=30)
TURNS = st.lists(st.text(max_size=80), max_size=6)
VOCABULARY = [
    first + second
    for first in ("ka", "lo", "mi", "ne", "pu", "ra", "so", "ti")
    for second in (
        "bel",
        "dan",
        "fir",
        "gon",
        "hus",
        "jam",
        "kov",
        "lun",
        "mar",
        "nix",
        "por",
        "rus",
    )
]


def talk(chance: random.Random, length: int) -> list[str]:
    return [chance.choice(VOCABULARY) for _ in range(length)]


def edited(chance: random.Random, words: list[str], share: float) -> list[str]:
    return [chance.choice(VOCABULARY) if chance.random() < share else word for word in words]


@pytest.mark.parametrize("threshold", [0.5, 0.7, 0.8])
def test_bands_propose_every_pair_that_brute_force_finds(threshold: float) -> None:
    chance = random.Random(7)
    texts = []
    for _ in range(60):
        source = talk(chance, 120)
        texts += [source, *(edited(chance, source, share) for share in (0.0, 0.01, 0.03, 0.06))]
    found = [shingles([" ".join(text)]) for text in texts]
    proposed = [frozenset(enumerate(signature(one, threshold, "run"))) for one in found]
    near = [
        (one, other)
        for one, other in combinations(range(len(found)), 2)
        if jaccard(found[one], found[other]) >= threshold
    ]
    missed = [pair for pair in near if not proposed[pair[0]] & proposed[pair[1]]]
    assert len(near) > 100
    assert missed == []


@pytest.mark.parametrize("threshold", [0.31, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.99, 1.0])
def test_bands_reach_the_stated_recall_at_their_threshold(threshold: float) -> None:
    rows, count = bands(threshold)
    assert rows * count <= 128
    assert 1 - (1 - threshold**rows) ** count >= 0.9999


def test_signatures_are_the_same_in_every_process() -> None:
    code = (
        "from convo_events.similarity import *;"
        "s = shingles(['Wie geht es dir?', '今天天气很好', 'fine, thanks']);"
        "print(sorted(s)[:2], signature(s, 0.7, 'run-1')[:3])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert outputs == {
        "[392867522892970160, 481059806673554788] (-1928179829, -1324449944, 996202604)"
    }


def test_signatures_of_different_runs_share_nothing() -> None:
    found = shingles(["the same words in two different runs of the same config"])
    assert not set(signature(found, 0.7, "run-1")) & set(signature(found, 0.7, "run-2"))
    assert signature(found, 0.7, "run-1") == signature(found, 0.7, "run-1")
    assert signature(frozenset(), 0.7, "run-1") == ()


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=64))
def test_a_signature_survives_its_text_form(numbers: list[int]) -> None:
    assert decode_signature(encode_signature(numbers)) == tuple(numbers)


@pytest.mark.parametrize("broken", ["@@@@", "AAA=", "AAAAA"])
def test_a_broken_signature_is_named(broken: str) -> None:
    with pytest.raises(ValueError, match="signature"):
        decode_signature(broken)


@given(SETS, SETS)
def test_similarity_is_bounded_and_symmetric(one: frozenset[int], other: frozenset[int]) -> None:
    assert 0 <= jaccard(one, other) <= 1
    assert jaccard(one, other) == jaccard(other, one)
    assert (jaccard(one, other) == 1) == (bool(one) and one == other)
    assert 0 <= containment(one, other) <= 1
    assert bool(containment(one, other)) == bool(one & other)


@given(TURNS)
@settings(max_examples=60, deadline=None)
def test_only_an_empty_conversation_has_no_shingles(turns: list[str]) -> None:
    found = shingles(turns)
    assert bool(found) == bool("".join("".join(turns).split()))
    assert all(0 <= one < 2**64 for one in found)
    assert shingles(turns, mask=found) == found


def test_a_lone_surrogate_is_only_text() -> None:
    assert shingles(["\ud800"])
    assert len(shingles(["one two three four \udfff"])) == 2


def test_case_and_width_and_apostrophes_do_not_count() -> None:
    assert shingles(["Don’t ＷＯＲＲＹ about it"]) == shingles(["don't worry ABOUT it"])


def test_short_conversations_are_compared_by_their_words() -> None:
    assert jaccard(shingles(["hello"]), shingles(["Hello!"])) == 1
    assert jaccard(shingles(["hello there"]), shingles(["hello you"])) == pytest.approx(1 / 3)
    assert jaccard(shingles(["🙂"]), shingles(["🙃"])) == 0
    assert jaccard(shingles(["🙂"]), shingles(["🙂"])) == 1


def test_template_words_are_left_out_but_never_everything() -> None:
    prompt = PromptSet(
        name="p",
        modes=("scripted",),
        segments={"script": "Write a warm talk about {{ topic }} between two good friends."},
    )
    mask = template_mask(prompt, [Pool(name="topic", values=("the price of fresh bread",))])
    shared = ["between two good friends", "the price of fresh bread"]
    one = shingles([*shared, "my oven broke on monday"], mask)
    other = shingles([*shared, "they closed the mill in june"], mask)
    assert jaccard(one, other) == 0
    assert shingles(["write a warm talk about"], mask) == shingles(["write a warm talk about"])
    assert not mask & shingles(["talk about between two"])


def test_d02_a_chain_of_near_pairs_links_nothing() -> None:
    words = [f"w{at}" for at in range(100)]
    texts = {"a": words[:80], "b": words[10:90], "c": words[20:100]}
    near = {name: shingles([" ".join(text)]) for name, text in texts.items()}
    limit = 0.7
    assert jaccard(near["a"], near["b"]) > limit
    assert jaccard(near["b"], near["c"]) > limit
    assert nearest(near["c"], [("a", near["a"])], limit) is None
    named = nearest(near["c"], [("a", near["a"]), ("b", near["b"])], limit)
    assert named is not None
    assert named.conversation == "b"


def test_d03_chinese_that_differs_in_three_characters_is_near() -> None:
    text = (
        "我昨天在超市买了很多新鲜的水果和蔬菜，晚上做了一顿丰盛的晚餐，"
        "邀请了几位老朋友来家里一起吃饭聊天，大家都说味道非常好。"
    )
    changed = text.replace("昨天", "今天").replace("丰盛", "简单")
    assert sum(a != b for a, b in zip(text, changed, strict=True)) == 3
    one, other = shingles([text]), shingles([changed])
    assert jaccard(one, other) > 0.7
    assert set(signature(one, 0.7)) & set(signature(other, 0.7))


def test_d04_a_candidate_under_the_limit_is_no_match() -> None:
    one = shingles(["we went to the lake and swam until it was dark"])
    other = shingles(["we went to the lake and then drove back home again"])
    true = jaccard(one, other)
    assert 0 < true < 0.7
    assert nearest(one, [("candidate", other)], 0.7) is None
    assert nearest(one, [("candidate", other)], true) is None
    found = nearest(one, [("candidate", other)], true - 0.001)
    assert found is not None
    assert found.similarity == true


def test_an_exact_copy_is_too_near_at_any_limit() -> None:
    assert too_near(1.0, 1.0)
    assert not too_near(0.999, 1.0)
    assert not too_near(0.7, 0.7)


def test_equally_near_neighbours_give_the_first_id_in_any_order() -> None:
    one = shingles(["all the same words here"])
    pair = [("b", one), ("a", one)]
    assert {nearest(one, order, 0.7) for order in (tuple(pair), tuple(reversed(pair)))} == {
        nearest(one, [("a", one)], 0.7)
    }
