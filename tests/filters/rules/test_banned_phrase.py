import pytest

from convo_events.catalog import FilterList
from convo_events.errors import Invalid
from convo_filters.layers import RuleSet
from tests.filters.talk import answered, asked, hits, snapshot, words_of

LIST = FilterList(
    name="worn",
    phrases=(
        "rich tapestry",
        "delve",
        "C++",
        ":)",
        "抱歉",
        "к сожалению",
        "can't stress enough",
        "ดีมาก",
        "बहुत अच्छा",
    ),
    patterns=(r"not just \w+, but", r"\bAI\b"),
)
WORN = snapshot(filter_lists=(LIST,))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is a rich tapestry of life.", "rich tapestry"),
        ("A RICH\n tapestry!", "RICH\n tapestry"),
        ("Let us delve, then.", "delve"),
        ("Ｄｅｌｖｅ deep.", "Ｄｅｌｖｅ"),
        ("I write C++ daily.", "C++"),
        ("Fine :)", ":)"),
        ("我真的很抱歉啊", "抱歉"),
        ("Но, К СОЖАЛЕНИЮ, нет.", "К СОЖАЛЕНИЮ"),
        ("I can’t stress enough how.", "can’t stress enough"),
        ("อาหารดีมากครับ", "ดีมาก"),
        ("यह बहुत अच्छा है", "बहुत अच्छा"),
        ("It is not just good, but great.", "not just good, but"),
        ("I am an ai.", "ai"),
    ],
)
def test_hits(text: str, words: str) -> None:
    conversation = answered(text)
    hit = hits(conversation, WORN)["banned_phrase"]
    assert words_of(conversation, hit) == words
    assert "list worn" in hit.detail


@pytest.mark.parametrize(
    "text",
    [
        "A tapestry, rich in colour.",
        "He delved into it.",
        "Vitamin C is fine.",
        "The rain in Spain.",
        "真的很抱愧",
        "сожаление",
        "I can stress enough.",
        "Write (: instead.",
        "It is just good but great.",
        "बहुत",
        "richtapestry",
    ],
)
def test_passes(text: str) -> None:
    assert "banned_phrase" not in hits(answered(text), WORN)


def test_a_list_is_for_its_speaker() -> None:
    assert "banned_phrase" not in hits(asked("Let us delve."), WORN)
    everybody = snapshot(filter_lists=(LIST.model_copy(update={"speaker": "any"}),))
    assert hits(asked("Let us delve."), everybody)["banned_phrase"].turn == 0


def test_without_lists_nothing_is_banned() -> None:
    assert "banned_phrase" not in hits(answered("Let us delve."))


def test_a_broken_pattern_is_named() -> None:
    broken = snapshot(filter_lists=(FilterList(name="bad", patterns=("(",)),))
    with pytest.raises(Invalid, match=r"filter list bad: /patterns/0"):
        RuleSet.of(broken)


def test_a_pattern_that_runs_away_is_stopped_and_shown() -> None:
    runaway = snapshot(filter_lists=(FilterList(name="slow", patterns=(r"(?:a|aa)+(?:b|a?)+$",)),))
    found = hits(answered("a" * 5_000 + "!"), runaway).get("banned_phrase")
    assert found is None or "took too long" in found.detail
