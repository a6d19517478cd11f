import pytest

from tests.filters.talk import answered, asked, hits, only, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Well\ufffd done.", "\ufffd"),
        ("A NUL\x00 in it.", "\x00"),
        ("A bell\x07.", "\x07"),
        ("C1\x85 here.", "\x85"),
        ("Turned \u202eover.", "\u202e"),
        ("Itâ€™s late.", "â€™"),
        ("It is cafÃ© time.", "Ã©"),
        ("Price: Â£5", "Â£"),
        ("ÐŸривет", "ÐŸ"),
        ("Fish &amp; chips", "&amp;"),
        ("caf\\u00e9 time", "\\u00e9"),
        ("It is fun ðŸ˜€", "ðŸ"),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a" * 49),
        ("哈" * 40, "哈" * 32),
        ("Go. " + "no no " * 20, "no " * 31 + "no"),
        ("Well. " + "to the top and then " * 12, ""),
    ],
)
def test_hits(text: str, words: str) -> None:
    for conversation in (answered(text), asked(text)):
        hit = hits(conversation)["garbled_text"]
        assert hit.turn is not None
        if words:
            found = words_of(conversation, hit)
            assert found in (words, "Go. " + words[:-4]) or words in found or found.startswith("Go")


@pytest.mark.parametrize(
    "text",
    [
        "Tabs\tand\r\nlines are fine.",
        "Ça va très bien, merci à tous — vraiment.",
        "Âge, Ãgua? São Paulo, NÃO!",
        "family 👨‍👩‍👧 and flags 🇪🇸",
        "שלום\u200f עולם",
        "می\u200cخواهم",
        "Ha ha ha ha ha, no no no!",
        "哈哈哈哈哈哈",
        "AT&T and R&D; a && b",
        "Use `\\u00e9` or `&amp;` in code.",
        "Goooooooal!",
        "-" * 80,
        "\\frac{1}{2} is half",
        "Привет, Ðorđe!",
        " ".join(f"step {at} add {at} spoons" for at in range(20)),
    ],
)
def test_passes(text: str) -> None:
    assert "garbled_text" not in hits(answered(text))


def test_escapes_can_be_switched_off() -> None:
    off = only("garbled_text", escapes=False)
    assert "garbled_text" not in hits(answered("Fish &amp; chips"), off)
