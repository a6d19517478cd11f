import pytest

from convo_events.usage import Usage
from convo_models.backends.protocol import Json
from convo_models.backends.usage import MOST_TOKENS, cost_micro, normalised, reported


def test_c01_cached_tokens_are_part_of_the_input() -> None:
    counts: Json = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 64},
    }
    usage = normalised(counts, 400, 80)
    assert usage == Usage(input_tokens=100, cached_tokens=64, output_tokens=20)
    assert usage.input_tokens + usage.output_tokens == 120


@pytest.mark.parametrize(
    "written",
    [
        {"prompt_tokens_details": {"cached_tokens": 30, "cache_creation_tokens": 50}},
        {"prompt_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 50}},
        {"cache_read_input_tokens": 30, "cache_creation_input_tokens": 50},
        {"prompt_tokens_details": {"cached_tokens": 30}, "cache_creation_input_tokens": 50},
    ],
)
def test_tokens_written_to_the_cache_are_part_of_the_input(written: dict[str, Json]) -> None:
    counts: Json = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, **written}
    assert normalised(counts, 400, 80) == Usage(
        input_tokens=100, cached_tokens=30, cache_write_tokens=50, output_tokens=20
    )


def test_a_cache_left_out_of_the_prompt_is_found_by_the_total() -> None:
    counts: Json = {
        "prompt_tokens": 20,
        "completion_tokens": 20,
        "total_tokens": 120,
        "cache_read_input_tokens": 30,
        "cache_creation_input_tokens": 50,
    }
    assert normalised(counts, 400, 80) == Usage(
        input_tokens=100, cached_tokens=30, cache_write_tokens=50, output_tokens=20
    )


def test_more_written_to_the_cache_than_asked_is_clamped_and_marked() -> None:
    counts: Json = {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 4, "cache_creation_tokens": 9},
    }
    found = normalised(counts, 40, 20)
    assert (found.cached_tokens, found.cache_write_tokens, found.estimated) == (4, 6, True)


def test_c13_reasoning_tokens_are_part_of_the_output() -> None:
    counts: Json = {
        "prompt_tokens": 10,
        "completion_tokens": 50,
        "total_tokens": 60,
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    assert normalised(counts, 40, 40) == Usage(
        input_tokens=10, output_tokens=50, reasoning_tokens=40
    )


def test_c13_reasoning_left_out_of_the_completion_is_found_by_the_total() -> None:
    counts: Json = {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 55,
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    assert normalised(counts, 40, 20) == Usage(
        input_tokens=10, output_tokens=45, reasoning_tokens=40
    )


@pytest.mark.parametrize(
    "counts",
    [
        None,
        {},
        [],
        "12",
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": -4, "completion_tokens": -2},
        {"prompt_tokens": "4", "completion_tokens": "2"},
        {"prompt_tokens": True, "completion_tokens": True},
        {"prompt_tokens": 0.5, "completion_tokens": 0.5},
        {"prompt_tokens": float("nan"), "completion_tokens": float("inf")},
        {"prompt_tokens": MOST_TOKENS + 1, "completion_tokens": 2**62},
        {"prompt_tokens": {"n": 4}, "completion_tokens": [2]},
    ],
)
def test_unusable_counts_are_estimated_and_never_zero(counts: Json) -> None:
    assert normalised(counts, 41, 9) == Usage(input_tokens=11, output_tokens=3, estimated=True)
    assert reported(counts) is None


def test_an_empty_answer_to_an_empty_prompt_is_still_no_zero() -> None:
    assert normalised(None, 0, 0) == Usage(input_tokens=1, output_tokens=1, estimated=True)


def test_one_usable_count_is_kept() -> None:
    counts: Json = {"prompt_tokens": 8.0, "completion_tokens": None}
    assert normalised(counts, 999, 9) == Usage(input_tokens=8, output_tokens=3, estimated=True)


@pytest.mark.parametrize(
    "counts",
    [
        {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 99},
        },
        {"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 99},
    ],
)
def test_more_cached_than_asked_is_clamped_and_marked(counts: Json) -> None:
    usage = normalised(counts, 40, 20)
    assert usage == Usage(input_tokens=10, cached_tokens=10, output_tokens=5, estimated=True)


def test_a_cached_count_that_is_none_is_left_out_and_marked() -> None:
    counts: Json = {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": "many"},
    }
    assert normalised(counts, 40, 20) == Usage(input_tokens=10, output_tokens=5, estimated=True)


@pytest.mark.parametrize(
    ("counts", "micro"),
    [
        (None, None),
        ({}, None),
        ({"cost": 0.0012345}, 1234),
        ({"cost": 0}, 0),
        ({"cost": {"input_tokens_cost": 0.001, "total_cost": 0.0042}}, 4200),
        ({"cost": {}}, None),
        ({"cost": "0.1"}, None),
        ({"cost": True}, None),
        ({"cost": -1.0}, None),
        ({"cost": float("nan")}, None),
        ({"cost": 1e18}, None),
    ],
)
def test_cost_as_the_provider_says(counts: Json, micro: int | None) -> None:
    assert cost_micro(counts) == micro
