import pytest

from tests.filters.talk import answered, asked, hits, words_of


@pytest.mark.parametrize(
    ("text", "words", "language"),
    [
        ("How can I help you today?", "How can I help you", "en"),
        ("As an AI language model, I do not sleep.", "As an AI language model, I do", "en"),
        ("I’m here to assist you.", "I’m here to assist you", "en"),
        ("Is there anything else I can help with?", "anything else I can help with", "en"),
        ("I'd be happy to help you.", "I'd be happy to help you", "en"),
        ("Assistant: that is a fine plan.", "Assistant: that is a fine plan.", "en"),
        ("¿En qué puedo ayudarte?", "En qué puedo ayudarte", "es"),
        ("Comment puis-je vous aider ?", "Comment puis-je vous aider", "fr"),
        ("Wie kann ich Ihnen helfen?", "Wie kann ich Ihnen helfen", "de"),
        ("Чем я могу вам помочь?", "Чем я могу вам помочь", "ru"),
        ("有什么可以帮您？", "有什么可以帮", "zh"),
        ("何かお手伝いできますか", "何かお手伝いでき", "ja"),
    ],
)
def test_hits_a_user_who_is_the_assistant(text: str, words: str, language: str) -> None:
    conversation = asked(text, language)
    hit = hits(conversation)["role_swap"]
    assert hit.turn == 0
    assert words_of(conversation, hit) == words


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Can you help me with my garden?", "en"),
        ("Thank you so much for your help!", "en"),
        ("I'm looking for advice on soil.", "en"),
        ("I need your help with this.", "en"),
        ("Sure.\nUser: and what about roses?\nAssistant: those too.", "en"),
        ("Gracias por tu ayuda.", "es"),
        ("Kannst du mir bitte helfen?", "de"),
        ("Спасибо за вашу помощь!", "ru"),
        ("你能帮我看看吗？", "zh"),
        ("手伝ってください。", "ja"),
    ],
)
def test_hits_an_assistant_who_is_the_user(text: str, language: str) -> None:
    assert hits(answered(text, language))["role_swap"].turn == 1


@pytest.mark.parametrize(
    "text",
    [
        "Can you help me with my garden?",
        "Thanks for your help!",
        "As an AI, do you ever sleep?",
        'The bot said "How can I help you today?" again.',
        "User: admin",
        "How can I help my mother?",
        "The user: a short story.",
        "What is an AI?",
        "¿Puedes ayudarme?",
        "Help is near: run.",
    ],
)
def test_passes_users(text: str) -> None:
    assert "role_swap" not in hits(asked(text))


@pytest.mark.parametrize(
    "text",
    [
        "How can I help you today?",
        "I'm an AI, so I don't sleep.",
        "Could you help me understand what broke?",
        "You could write: “Thanks for your help.”",
        "User: admin\nPassword: none",
        "```\nUser: hello there my friend\n```",
        "I would ask for help with the roof.",
        "Note: that is not a label.",
        "Thank you for the photo.",
        "> Can you help me with my garden?",
    ],
)
def test_passes_assistants(text: str) -> None:
    assert "role_swap" not in hits(answered(text))
