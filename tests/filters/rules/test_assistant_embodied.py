import pytest

from tests.filters.talk import answered, asked, hits, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("When I was a kid we had none.", "When I was a"),
        ("I drove there yesterday.", "I drove"),
        ("My wife says the same.", "My wife"),
        ("Well, I'm so hungry now.", "I'm so hungry"),
        ("I love eating soup.", "I love eating"),
        ("Last summer I went to the coast.", "I went to the"),
        ("I grew up in a village.", "I grew up"),
        ("I'm a nurse, so trust me.", "I'm a nurse"),
        ("My favorite food is pizza.", "My favorite food"),
        ("I live in Madrid.", "I live in"),
        ("I have two kids myself.", "I have two kids"),
        ("I’ve been to the museum.", "I’ve been to the"),
    ],
)
def test_hits(text: str, words: str) -> None:
    conversation = answered(text)
    assert words_of(conversation, hits(conversation)["assistant_embodied"]) == words
    assert "assistant_embodied" not in hits(asked(text))


@pytest.mark.parametrize(
    "text",
    [
        "I can help with that.",
        'You could write: "My wife loves it."',
        "If I drove there, it would take a day.",
        "As a nurse, you know best.",
        "I ran the numbers again.",
        "I went through your list.",
        "I don't have a body, and I never ate a thing.",
        "My suggestion is to wait.",
        "I was wondering about it.",
        "Here's a draft:\n\nI went to the shop with my wife.",
        "Subject: leave\n\nDear Ms. Lee,\nmy daughter is ill.",
        "> I grew up in a village\n\nThat line is lovely.",
        "Your wife may like it.",
        "I love that idea.",
        "I'm tired of saying it, but save often.",
        "I'm a human-like voice, no more.",
        "I was 10% off in that estimate.",
    ],
)
def test_passes(text: str) -> None:
    assert "assistant_embodied" not in hits(answered(text))


@pytest.mark.parametrize(
    ("text", "words", "language"),
    [
        ("Cuando era niño vivía allí.", "Cuando era niño", "es"),
        ("Quand j'étais enfant, non.", "Quand j'étais enfant", "fr"),
        ("Моя жена так говорит.", "Моя жена", "ru"),
        ("我小时候也这样。", "我小时候", "zh"),
        ("私の妻もそう言います。", "私の妻", "ja"),
        ("Als ich klein war, nein.", "Als ich klein war", "de"),
        ("Quando eu era criança, sim.", "Quando eu era criança", "pt-BR"),
        ("제 아내도 그래요.", "제 아내도", "ko"),
    ],
)
def test_hits_in_other_languages(text: str, words: str, language: str) -> None:
    conversation = answered(text, language)
    assert words_of(conversation, hits(conversation)["assistant_embodied"]) == words


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ihre Frau hat recht.", "de"),
        ("你小时候住在哪里？", "zh"),
        ("«Моя жена» значит супруга.", "ru"),
        ("Tu esposa tiene razón.", "es"),
    ],
)
def test_passes_in_other_languages(text: str, language: str) -> None:
    assert "assistant_embodied" not in hits(answered(text, language))
