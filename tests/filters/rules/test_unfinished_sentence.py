import pytest

from tests.filters.talk import hits, only, talk


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("First water the roots,", "en"),
        ("Then take the lid and", "en"),
        ("Dann nimmst du den Topf und", "de"),
        ("Сначала налейте воды и", "ru"),
        ("まず、", "ja"),
        ("แล้วใส่น้ำตาลและ", "th"),
    ],
)
def test_hits(text: str, language: str) -> None:
    found = hits(talk("Well?", text, "Go on.", "Done.", language=language))
    assert found["unfinished_sentence"].turn == 1
    assert text.endswith(found["unfinished_sentence"].excerpt)


@pytest.mark.parametrize(
    "text", ["That is sad :(", "sure, see you", "- milk\n- eggs", "Well… who knows..."]
)
def test_passes(text: str) -> None:
    assert "unfinished_sentence" not in hits(talk("Well?", text, "Go on.", "Done."))


def test_the_last_turn_is_left_to_another_rule() -> None:
    found = hits(talk("Well?", "First water the roots,"))
    assert "unfinished_sentence" not in found
    assert "truncated" in found


def test_users_may_break_off_unless_the_config_says_otherwise() -> None:
    conversation = talk("so i was thinking,", "Yes?")
    assert "unfinished_sentence" not in hits(conversation)
    assert "unfinished_sentence" in hits(conversation, only("unfinished_sentence", users=True))
