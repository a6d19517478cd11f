"""What is kept of a conversation, and what it tells of similarities."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.fingerprints import (
    SKETCH_SIZE,
    UNKNOWN,
    Fingerprint,
    Sketch,
    estimate,
    short,
)
from convo_events.masking import FEWEST, Mask, common_text, mask_of
from convo_events.similarity import jaccard, minhash, shingles, unmasked
from tests.journeys.configs import snapshot

SETS = st.frozensets(st.integers(0, 2**64 - 1), max_size=400)


def sample_of(found: frozenset[int]) -> Sketch:
    return Sketch.stored(Fingerprint.of(found, minhash(found)).sample)


@given(SETS)
@settings(max_examples=40, deadline=None)
def test_a_fingerprint_survives_its_text_form(found: frozenset[int]) -> None:
    left = Fingerprint.of(found, minhash(found))
    assert Fingerprint.decode(left.encode()) == left
    assert left.sample == tuple(sorted(short(found)))[:SKETCH_SIZE]
    assert len(left.bands) == (42 if found else 0)
    assert len(left.encode()) <= 1_248


def pair(rng: random.Random, size: int, shared: float) -> tuple[frozenset[int], frozenset[int]]:
    both = {rng.getrandbits(64) for _ in range(int(size * shared))}
    own = [{rng.getrandbits(64) for _ in range(size - len(both))} for _ in range(2)]
    return frozenset(both | own[0]), frozenset(both | own[1])


@pytest.mark.parametrize("size", [60, 190, 400, 1_500])
def test_an_estimate_is_right_and_never_under_what_it_allows(size: int) -> None:
    rng = random.Random(size)
    for _ in range(60):
        one, other = pair(rng, size, rng.random())
        true = jaccard(one, other)
        for mine in (Sketch.of(one), sample_of(one)):
            found = estimate(mine, sample_of(other), frozenset(), 0.7)
            assert found.most >= true
            assert abs(found.similarity - true) < (0.01 if size < SKETCH_SIZE else 0.17)


def test_what_the_looking_run_masks_is_left_out_on_both_sides() -> None:
    """Whoever kept the samples: they are taken before anything is masked."""
    rng = random.Random(2)
    one, other = pair(rng, 500, 0.6)
    mask = frozenset(rng.sample(sorted(one & other), 200)) | frozenset(rng.sample(sorted(one), 50))
    true = jaccard(unmasked(one, mask), unmasked(other, mask))
    found = estimate(Sketch.of(one), sample_of(other), short(mask), 0.7)
    assert found.most >= true
    assert abs(found.similarity - true) < 0.12
    assert estimate(Sketch.of(one), sample_of(other), short(one), 0.7) == UNKNOWN


def test_what_more_than_half_share_is_common_and_bounded() -> None:
    greeting = "thank you for calling the bakery on main street"
    told = [[greeting if at % 5 else "hello", f"loaf {at}, {at} rolls"] for at in range(FEWEST)]
    made = snapshot(9, threads=9)
    after = made.model_copy(update={"common": common_text(told)})
    assert mask_of(after) - mask_of(made) == shingles([greeting])
    assert Mask.of(after).short == short(mask_of(after))
    assert common_text(told[:-1]) == "", "too few"
    assert common_text([[f"w{at} x{at} y{at}"] for at in range(FEWEST)]) == "", "nothing in common"

    long = [[" ".join(f"w{at}" for at in range(3_000))]] * FEWEST
    assert len(mask_of(made.model_copy(update={"common": common_text(long)}))) <= 1_000 + len(
        mask_of(made)
    )


def test_a_snapshot_without_history_hashes_as_before() -> None:
    made = snapshot(9, threads=9)
    assert b'"common"' not in made.body()
    assert b'"scope"' not in made.body()
