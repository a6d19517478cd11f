import pytest

from tests.filters.talk import answered, asked, hits


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I'm sorry, but I can't assist with that.", "en"),
        ("I’m sorry, but I can’t help with this request.", "en"),
        ("I cannot fulfill that request.", "en"),
        ("As an AI language model, I don't have opinions.", "en"),
        ("I must decline.", "en"),
        ("That goes against my guidelines.", "en"),
        ("I'm unable to provide medical advice.", "en"),
        ("I won't participate in that.", "en"),
        ("I am not able to create content like it.", "en"),
        ("It violates our content policy.", "en"),
        ("Lo siento, pero no puedo ayudarte.", "es"),
        ("Je suis désolé, mais je ne peux pas vous répondre.", "fr"),
        ("Es tut mir leid, aber dabei kann ich nicht helfen.", "de"),
        ("Desculpe, mas não posso.", "pt"),
        ("Извините, но я не могу помочь.", "ru"),
        ("抱歉，我无法协助。", "zh"),
        ("申し訳ありませんが、お答えできません。", "ja"),
        ("죄송하지만 그 부분은 도와드릴 수 없습니다.", "ko"),
    ],
)
def test_hits(text: str, language: str) -> None:
    conversation = answered(text, language)
    hit = hits(conversation)["assistant_refusal"]
    assert hit.turn == 1
    assert hit.excerpt in text
    assert "assistant_refusal" not in hits(asked(text, language))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I'm sorry you can't log in.", "en"),
        ("I can't wait to hear more!", "en"),
        ("I can't stress it enough.", "en"),
        ("I can't help but notice the date.", "en"),
        ("They answer \"I'm sorry, but I can't assist with that\" each time.", "en"),
        ("You must decline the offer.", "en"),
        ("Parking there is against the rules.", "en"),
        ("I cannot recommend it enough.", "en"),
        ("`I must refuse` is the text.", "en"),
        ("Unable to sleep? Read.", "en"),
        ("Lo siento, qué pena.", "es"),
        ("Es tut mir leid, das klingt hart.", "de"),
        ("Извините за задержку.", "ru"),
        ("抱歉，让你久等了。", "zh"),
        ("申し訳ありませんが、少しお待ちください。", "ja"),
    ],
)
def test_passes(text: str, language: str) -> None:
    assert "assistant_refusal" not in hits(answered(text, language))
