"""The rules keep their floors on the labelled set and on its held-out third, and say the words of each reject."""

import pytest

from convo_events.conversations import Hit
from convo_filters.plain_text import whole_characters
from convo_filters.rules_catalog import rules
from tests.filters.gold_set import Verdict, verdicts
from tests.filters.quality import Tally, faults, table, tally

PRECISION, RECALL = 0.97, 0.93
LONGEST_EXCERPT = 200
HELD_OUT = tuple(one for one in verdicts() if one.row.held_out)
RULES = pytest.mark.parametrize("reason", [rule.reason for rule in rules()])


def _floors(counted: dict[str, Tally], reason: str, judged: tuple[Verdict, ...]) -> None:
    one = counted[reason]
    wrong = [line for line in faults(judged) if f": {reason} " in line]
    assert one.right > 0, f"nothing in the set is to be rejected for {reason}"
    assert one.precision >= PRECISION, wrong
    assert one.recall >= RECALL, wrong


@RULES
def test_floors(reason: str) -> None:
    _floors(tally(verdicts()), reason, verdicts())


@RULES
def test_floors_on_what_was_held_out(reason: str) -> None:
    _floors(tally(HELD_OUT), reason, HELD_OUT)


def test_the_set_is_large_varied_and_half_innocent() -> None:
    every = [one.row for one in verdicts()]
    assert len(every) >= 600
    assert len({row.id for row in every}) == len(every)
    assert len({row.lang.split("-")[0] for row in every}) >= 12
    assert 0.45 <= sum(not row.expect for row in every) / len(every) <= 0.55
    assert 0.25 <= len(HELD_OUT) / len(every) <= 0.4


def test_labelled_words_are_in_their_conversation() -> None:
    for one in verdicts():
        for reason, words in one.row.expect.items():
            found = isinstance(words, int) or any(words in text for text in one.row.turns)
            assert found, f"{one.row.id}: {reason}"


@pytest.mark.parametrize("reason", [rule.reason for rule in rules()])
def test_every_reject_says_its_words(reason: str) -> None:
    for verdict in verdicts():
        if hit := verdict.hits.get(reason):
            _says_its_words(verdict, hit)


def _says_its_words(verdict: Verdict, hit: Hit) -> None:
    assert hit.turn is not None
    assert hit.start is not None
    assert hit.end is not None
    text = verdict.row.turns[hit.turn]
    assert 0 <= hit.start <= hit.end <= len(text)
    assert hit.start < hit.end or not text, verdict.row.id
    # A span of whole characters, and its words, cut only where they are too many to show.
    assert (hit.start, hit.end) == whole_characters(text, hit.start, hit.end), verdict.row.id
    words = text[hit.start : hit.end]
    assert words.startswith(hit.excerpt)
    assert hit.excerpt == words or len(words) > LONGEST_EXCERPT
    assert len(hit.excerpt) <= LONGEST_EXCERPT
    assert hit.excerpt.encode("utf-8")[:1] or not text


def test_the_table_has_a_line_a_rule_and_a_total() -> None:
    lines = table(verdicts()).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [*(rule.reason for rule in rules()), "total"]
