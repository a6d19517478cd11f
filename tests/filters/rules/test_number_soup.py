import pytest

from tests.filters.talk import answered, asked, hits, only

SOUP = " ".join(str(at * 37 % 101) for at in range(60))


@pytest.mark.parametrize(
    "text",
    ["The total is " + SOUP, SOUP.replace(" ", ", "), "It is 1" + "4159265" * 20 + " or so."],
)
def test_hits(text: str) -> None:
    for conversation in (answered(text), asked(text)):
        assert "number_soup" in hits(conversation)


@pytest.mark.parametrize(
    "text",
    [
        "```\n" + SOUP + "\n```",
        "\n".join(f"{at} x 7 = {at * 7}" for at in range(1, 21)),
        "| a | b |\n|---|---|\n" + "\n".join(f"| {at} | {at * at} |" for at in range(30)),
        "Add " + ", ".join(f"{at} g of part {at}" for at in range(20)),
        "2, 3, 5, 7, 11, 13, 17, 19, 23 and 29 are the first ten primes.",
    ],
)
def test_passes(text: str) -> None:
    assert "number_soup" not in hits(answered(text))


def test_limits_are_set_by_the_config() -> None:
    assert "number_soup" not in hits(answered(SOUP), only("number_soup", window=100))
