import pytest

from tests.filters.talk import answered, asked, hits, words_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "How do I descale a kettle? You can fill it with vinegar and let it stand overnight.",
            "en",
        ),
        ("What is a lien? A lien is a claim on property until a debt is paid.", "en"),
        ("why do onions make you cry? The reason is a gas that forms when the cells break", "en"),
        ("Wie entkalke ich das? Man kann einfach Essig einfüllen und über Nacht warten.", "de"),
        ("¿Qué es un embargo? Un embargo es una retención de bienes por una deuda.", "es"),
        ("水壶怎么除垢？你可以倒一些白醋进去，放一个晚上再冲洗干净。", "zh"),
    ],
)
def test_hits(text: str, language: str) -> None:
    conversation = asked(text, language)
    assert words_of(conversation, hits(conversation)["user_knows_too_much"]) == text
    assert "user_knows_too_much" not in hits(answered(text, language))


@pytest.mark.parametrize(
    "text",
    [
        "Can you help? I need to descale a kettle before my mother comes.",
        "Why is my bread flat? The yeast is old and I kept it in the sun.",
        "What should I do? You can be honest with me here.",
        "How long does it take? And what does it cost in the end?",
        "What is my rate? My rate is shown as ten on the slip.",
        "Is it far? Thanks.",
    ],
)
def test_passes(text: str) -> None:
    assert "user_knows_too_much" not in hits(asked(text))
