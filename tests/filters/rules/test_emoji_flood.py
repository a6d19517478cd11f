import pytest

from tests.filters.talk import answered, asked, hits, only, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Great " + "🎉" * 12, "🎉" * 12),
        ("wow 😂 😂 😂 😂 😂 😂 😂 😂", "😂 😂 😂 😂 😂 😂 😂 😂"),
        ("hi 🙂 you 🙂 there 🙂 my 🙂 good 🙂 old 🙂 dear 🙂 fine 🙂 friend 🙂 yes 🙂", ""),
        ("family " + "👨‍👩‍👧" * 8, "👨‍👩‍👧" * 8),
        ("go " + "🇪🇸" * 9, "🇪🇸" * 8),
    ],
)
def test_hits(text: str, words: str) -> None:
    for conversation in (answered(text), asked(text)):
        found = words_of(conversation, hits(conversation)["emoji_flood"])
        assert not words or words.startswith(found) or found == words


@pytest.mark.parametrize(
    "text",
    [
        "lol 😂😂😂😂😂",
        "👨‍👩‍👧‍👦 is one family",
        "1️⃣ milk 2️⃣ eggs 3️⃣ flour 4️⃣ salt 5️⃣ oil 6️⃣ tea 7️⃣ rice 8️⃣ beans 9️⃣ nuts",
        "© ® ™ ☑ → ← ↑ ↓ ★ ☆",
        "今天很好😊",
        "🇪🇸 🇫🇷 🇩🇪",
    ],
)
def test_passes(text: str) -> None:
    assert "emoji_flood" not in hits(answered(text))


def test_limits_are_set_by_the_config() -> None:
    assert "emoji_flood" in hits(answered("lol 😂😂😂"), only("emoji_flood", most_in_a_row=2))
