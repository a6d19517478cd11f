import pytest

from tests.filters.talk import answered, asked, hits, only, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Write to jan.kowalski@wp.pl today.", "jan.kowalski@wp.pl"),
        ("Call +49 30 901820 or wait.", "+49 30 901820"),
        ("Call us at (212) 867-5309 4123.", ""),
        ("It is 212-867-5309.", "212-867-5309"),
        ("电话是13812345678。", "13812345678"),
        ("звоните 8 (495) 123-45-67", "8 (495) 123-45-67"),
    ],
)
def test_hits(text: str, words: str) -> None:
    for conversation in (answered(text), asked(text)):
        found = hits(conversation).get("url_or_contact")
        assert found is not None
        assert not words or words_of(conversation, found) == words


@pytest.mark.parametrize(
    "text",
    [
        "Write to me@example.com or you@mail.test.",
        "`git clone git@host.dev:a/b` does it.",
        "Order 4711081512 from 2024-05-01 cost 1.234.567,89 in all.",
        "Call 112 or 911 at once.",
        "In films it is 212-555-0142.",
        "See https://docs.python.org/3/ for it.",
        "user@1.2 is no address, nor @ana",
        "ISBN 978-3-16-148410-0",
        "The years 1914-1918 and 1939-1945.",
    ],
)
def test_passes(text: str) -> None:
    for conversation in (answered(text), asked(text)):
        assert "url_or_contact" not in hits(conversation)


def test_links_count_where_the_config_says_so() -> None:
    links = only("url_or_contact", links=True)
    assert "url_or_contact" in hits(answered("See https://best-garden-tips.info/peas now."), links)
    assert "url_or_contact" not in hits(answered("See https://en.wikipedia.org/wiki/Pea."), links)
