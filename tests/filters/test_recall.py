"""Layer 2 finds what is truly near, and nothing else. Numbers in names are public faults that must not come back."""

import random

import pytest

from convo_events.near_index import Scope
from convo_events.similarity import jaccard, nearest, shingles, signature
from tests.filters.near_quality import SCOPES, Crowd, look_at_all
from tests.filters.planted import EDITS, UNSPACED, talks

COUNT = 1_000
RECALL, PRECISION = 0.98, 1.0


@pytest.fixture(scope="module")
def crowd() -> Crowd:
    return Crowd.of(COUNT)


@pytest.mark.parametrize("limit", [0.5, 0.7, 0.9])
@pytest.mark.parametrize("scope", SCOPES)
def test_d04_recall_and_precision_against_brute_force(
    crowd: Crowd, scope: Scope, limit: float
) -> None:
    found = look_at_all(crowd, scope, limit)
    assert found.near > 300
    assert found.recall >= RECALL
    assert found.precision == PRECISION
    assert found.read < 12, "few conversations are read for each that is looked at"


def test_every_kind_of_edit_is_planted() -> None:
    assert {name for _, name in talks(COUNT)} == {"source", *EDITS}


@pytest.mark.parametrize("alphabet", UNSPACED, ids=["chinese", "japanese", "thai"])
@pytest.mark.parametrize("mixed", ["", " iPhone 15 Pro "], ids=["pure", "mixed"])
def test_d03_unspaced_text_that_differs_in_three_characters_is_near(
    alphabet: str, mixed: str
) -> None:
    """At the default limit, wherever they are: side by side, at the ends, or far from each other."""
    rng = random.Random(3)
    told = rng.choices([c for c in alphabet if c.isalpha()], k=80)
    for places in ((40, 41, 42), (0, 1, 2), (77, 78, 79), (10, 40, 70)):
        other = [rng.choice("一二三") if at in places else c for at, c in enumerate(told)]
        turns, changed = (
            ["".join(text[:50]) + mixed, "".join(text[50:])] for text in (told, other)
        )
        one, near = shingles(turns), shingles(changed)
        assert turns != changed
        assert jaccard(one, near) > 0.7, (turns, changed)
        assert set(signature(one, 0.7)) & set(signature(near, 0.7))
        assert nearest(near, [("first", one)], 0.7) is not None
