import pytest

from tests.filters.talk import answered, hits, only, snapshot, talk


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("First water the roots,", "en"),
        ("You will need:", "en"),
        ("Then take the lid and", "en"),
        ("It works because", "en"),
        ("Put it next to your", "en"),
        ("The result (see the", "en"),
        ("We call this an inter-", "en"),
        ("Run this:\n```python\nprint(1)", "en"),
        ("Dann nimmst du den Topf und", "de"),
        ("Ensuite, prenez le", "fr"),
        ("Después pones la", "es"),
        ("Сначала налейте воды и", "ru"),
        ("首先，你需要准备，", "zh"),
        ("まず、", "ja"),
    ],
)
def test_hits(text: str, language: str) -> None:
    conversation = answered(text, language)
    hit = hits(conversation)["truncated"]
    assert hit.turn == 1
    assert text.rstrip().endswith(hit.excerpt)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("That is all.", "en"),
        ("sure, see you", "en"),
        ("Well… who knows...", "en"),
        ("Have fun! 🎉", "en"),
        ("Read https://example.org/a-b", "en"),
        ("- eggs\n- flour\n- milk", "en"),
        ("```python\nprint(1)\n```", "en"),
        ("It costs 5 (or 6)", "en"),
        ("That is what a lid is for", "en"),
        ("Vitamin A", "en"),
        ("Ja, so ist das", "de"),
        ("今天很好。", "zh"),
        ("Хорошо", "ru"),
        ("Option B: the blue one", "en"),
    ],
)
def test_passes(text: str, language: str) -> None:
    assert "truncated" not in hits(answered(text, language))


def test_the_models_own_word_counts_unless_the_config_accepts_it() -> None:
    cut = talk("Hi.", "All is well.", finish="length")
    assert "'length'" in hits(cut)["truncated"].detail
    assert "truncated" not in hits(cut, snapshot(accept_finish=("stop", "length")))
    assert "truncated" in hits(talk("Hi.", "Well.", finish="content_filter"))


def test_the_look_at_the_end_can_be_switched_off() -> None:
    off = only("truncated", broken_off=False)
    assert "truncated" not in hits(answered("First water the roots,"), off)
    assert "truncated" not in hits(talk("I want,", "Yes.", "And then,"))
