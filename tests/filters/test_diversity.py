"""Copies of examples as hits."""

from convo_events.catalog import Example, PromptSet
from convo_filters.diversity import example_copy

GARDEN = (
    "How do I plan a small garden by the wall?",
    "Start with the sun: note where it falls at noon.",
)
EXAMPLE = Example(
    name="bread",
    turns=("My bread will not rise at all.", "Is the yeast fresh, and the water warm?"),
)
PROMPT = PromptSet.model_validate(
    {"name": "p", "modes": ("scripted",), "segments": {"script": "Write."}, "examples": (EXAMPLE,)}
)


def test_a_copy_of_an_example_is_named() -> None:
    hit = example_copy((*GARDEN, *EXAMPLE.turns), PROMPT, 0.5)
    assert hit is not None
    assert (hit.reason, hit.layer, hit.precedence, hit.neighbour) == ("example_copy", 2, 2, "bread")
    assert hit.similarity == 1
    assert hit.turn in (2, 3)
    said = (*GARDEN, *EXAMPLE.turns)
    assert [(span.turn, span.other_turn) for span in hit.overlaps] == [(3, 1), (2, 0)]
    for span in hit.overlaps:
        assert said[span.turn][span.start : span.end] in EXAMPLE.turns[span.other_turn]


def test_its_own_words_are_no_copy() -> None:
    assert example_copy(GARDEN, PROMPT, 0.5) is None
    assert example_copy((), PROMPT, 0.5) is None
    assert example_copy(EXAMPLE.turns, PROMPT.model_copy(update={"examples": ()}), 0.5) is None
