import pytest

from tests.filters.talk import answered, asked, hits, only, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("User: where do we go now?", "User:"),
        ("**Assistant:** that is a fine plan.", "Assistant:**"),
        ("Sure.\nHuman: and what about roses?", "Human:"),
        ("用户：今天天气怎么样", "用户："),
        ("Usuario: ¿y mañana a qué hora?", "Usuario:"),
        ("[Пользователь]: а что с розами делать?", "Пользователь]:"),
        ("ana: I never grew a plant, you know", "ana:"),
    ],
)
def test_hits(text: str, words: str) -> None:
    for conversation in (answered(text), asked(text)):
        found = words_of(conversation, hits(conversation)["speaker_label"])
        assert found.strip() == words


@pytest.mark.parametrize(
    "text",
    [
        "User: admin\nPassword: none",
        "> User: where do we go now?",
        "```\nUser: hello there my friend\n```",
        "So Ana: how are you? That is what she said.",
        "He wrote “User: where do we go now?”",
        "Budget: two hundred a month",
        "- user: the one who pays for all",
        "the user: a short story",
    ],
)
def test_passes(text: str) -> None:
    for conversation in (answered(text), asked(text)):
        assert "speaker_label" not in hits(conversation)


def test_names_of_personas_can_be_let_pass() -> None:
    text = "Ana: I never grew a plant, you know"
    assert "speaker_label" not in hits(asked(text), only("speaker_label", persona=False))
