import pytest

from tests.filters.talk import hits, talk


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\t",
        "\u200b",
        "\ufeff",
        "\u00a0\u2003",
        "\x00",
        "\u2800",
        "\u3164",
        "\u200e\u202e",
        "\u034f",
    ],
)
def test_hits(text: str) -> None:
    assert hits(talk(text, "Hello."))["empty_turn"].turn == 0
    assert hits(talk("Hello.", text))["empty_turn"].turn == 1


@pytest.mark.parametrize("text", ["k", ".", "…", "🙂", "0", "嗯", "はい", "да", "نعم", "हाँ", "?!"])
def test_passes(text: str) -> None:
    assert "empty_turn" not in hits(talk(text, text))


def test_no_turns_at_all_is_empty() -> None:
    assert hits(talk())["empty_turn"].turn is None
