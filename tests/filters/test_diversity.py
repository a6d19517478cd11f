"""Layer 2 as hits."""

from convo_events.catalog import Example, PromptSet
from convo_events.similarity import jaccard, shingles
from convo_filters.diversity import example_copy, near_duplicate

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


def test_d05_the_hit_names_the_nearest_neighbour_and_shows_the_words() -> None:
    near = ("How do I plan a small garden by the fence?", GARDEN[1])
    far = ("What do I cook tonight?", "Soup, with the beans you have.")
    others = [("far", shingles(far)), ("near", shingles(near))]
    hit = near_duplicate(shingles(GARDEN), others, 0.5, GARDEN, {"near": near, "far": far})
    assert hit is not None
    assert (hit.reason, hit.layer, hit.precedence, hit.neighbour) == (
        "near_duplicate",
        2,
        1,
        "near",
    )
    assert hit.similarity == jaccard(shingles(GARDEN), shingles(near))
    assert hit.excerpt == "Start with the sun: note where it falls at noon"
    assert GARDEN[hit.turn or 0][hit.start : hit.end] == hit.excerpt


def test_d02_d04_only_true_similarity_to_one_neighbour_counts() -> None:
    words = [f"w{at}" for at in range(100)]
    a, b, c = (shingles([" ".join(words[at : at + 80])]) for at in (0, 10, 20))
    assert near_duplicate(c, [("a", a)], 0.7) is None
    hit = near_duplicate(c, [("a", a), ("b", b)], 0.7)
    assert hit is not None
    assert hit.neighbour == "b"


def test_d03_a_chinese_copy_with_three_other_characters_is_caught() -> None:
    text = "我昨天在超市买了很多新鲜的水果和蔬菜，晚上做了一顿丰盛的晚餐，请几位老朋友来家里吃饭。"
    other = text.replace("昨天", "今天").replace("丰盛", "简单")
    hit = near_duplicate(
        shingles([other]), [("first", shingles([text]))], 0.7, [other], {"first": [text]}
    )
    assert hit is not None
    assert "在超市买了很多新鲜的水果和蔬菜" in hit.excerpt


def test_a_copy_of_an_example_is_named() -> None:
    hit = example_copy((*GARDEN, *EXAMPLE.turns), PROMPT, 0.5)
    assert hit is not None
    assert (hit.reason, hit.layer, hit.precedence, hit.neighbour) == ("example_copy", 2, 2, "bread")
    assert hit.similarity == 1
    assert hit.turn in (2, 3)


def test_its_own_words_are_no_copy() -> None:
    assert example_copy(GARDEN, PROMPT, 0.5) is None
    assert example_copy((), PROMPT, 0.5) is None
    assert example_copy(EXAMPLE.turns, PROMPT.model_copy(update={"examples": ()}), 0.5) is None
