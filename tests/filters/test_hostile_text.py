"""Nothing that a model can write makes a rule raise, or take more than one pass over the text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import FilterList
from convo_events.conversations import Conversation, Role, Turn
from convo_events.similarity import shingles, signature
from convo_filters.layers import RuleSet
from tests.filters.talk import snapshot, talk

LISTS = (
    FilterList(
        name="l", phrases=("delve into", ":)", "抱歉", "C++"), patterns=(r"(a+)+$",), speaker="any"
    ),
)
RULES = RuleSet.of(snapshot(filter_lists=LISTS))
MARKS = (
    "\x00", "\u202e", "\u200d", "\ufffd", "e\u0301", "👩‍👩‍👧", "*", "_", "`", "```", "[", "]", "(", ")", "{{", "}}",
    "<", ">", "|", "#", "“", "”", '"', "«", ":", ",", "İ", "ß", "ﷺ", "．", "ดี", "हि", "抱歉",
)  # fmt: skip
WORDINGS = (
    "I ", "my ", "If ", "smiles", "[your ", "User: ", "delve into", "\\u00e9", "&amp;", "a" * 50, "Ã©", "\n", " ",
    "I'm sorry, but I can't assist", "Dear x",
)  # fmt: skip
PIECES = st.sampled_from((*MARKS, *WORDINGS))
TEXT = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=60).map("".join))
LANGUAGES = st.sampled_from(["en", "de", "ja", "zh-Hant", "ar", "sr-Latn", "", "-", "x" * 50])


@given(st.lists(TEXT, max_size=5), LANGUAGES, st.sampled_from(["stop", "length", ""]))
@settings(max_examples=150, deadline=None)
def test_hostile_text_never_raises_and_spans_lie_in_their_turn(
    texts: list[str], language: str, finish: str
) -> None:
    conversation = talk(*texts, language=language, finish=finish)
    for hit in RULES.check(conversation):
        assert hit.detail
        assert len(hit.excerpt) <= 200
        if hit.start is not None and hit.end is not None:
            assert hit.turn is not None
            text = conversation.turns[hit.turn].text
            assert 0 <= hit.start <= hit.end <= len(text)
            assert text[hit.start : hit.end].startswith(hit.excerpt)


@pytest.mark.parametrize(
    "piece",
    ["a", "* ", "*a", "[", "[your ", "(", "{{", "“", '"', "`", "```", "\n", "| ", "|-\n", "# ", "**", "I was ", "my ",
     "if ", "<your ", "ab ", "е", "我", "e\u0301", "\u0301", "User: ", "draft:", "> ", "_a", "as an ai", "I can't ",
     "ha", "~~~", ":\n", "<script", "](javascript", "www.", "1 ", "i can't ", "in this role-play ", "{a", "、", "как ",
     "😀", "\U000e0041", "'a", "```a\n", "thank you "],
)  # fmt: skip
def test_a_huge_flood_is_one_pass(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    conversation = Conversation(
        turns=(Turn(role="user", text=text), Turn(role="assistant", text=text)), language="de"
    )
    # A quadratic pattern would need hours here.
    for hit in RULES.check(conversation):
        assert len(hit.excerpt) <= 200
    assert signature(shingles([text]), 0.7) or not text.strip()


@pytest.mark.parametrize(
    ("piece", "role"),
    [("<a ", "assistant"), ("user: ", "user"), ("thank you ", "user"), ("+1 2", "assistant"), ("a@b.", "user"),
     ("\u200b", "assistant"), ("what is a? a is ", "user")],
)  # fmt: skip
def test_a_hostile_megabyte_is_one_pass(piece: str, role: Role) -> None:
    text = (piece * 1_000_000)[:1_000_000]
    found = RULES.check(Conversation(turns=(Turn(role=role, text=text),), language="en"))
    # A quadratic pattern would need hours here too.
    assert "role_order" in {hit.reason for hit in found}


def test_a_megabyte_of_prose_is_read() -> None:
    text = ("The soil is dry here, so water it twice a week and wait. " * 20_000)[:1_000_000]
    assert {hit.reason for hit in RULES.check(talk("Well?", text))} >= {"wrong_length"}
