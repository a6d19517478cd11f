import pytest

from tests.filters.talk import answered, asked, hits


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Here is the next user message: how do I prune it?", "en"),
        ("In this role-play I'll be brief.", "en"),
        ("I was asked to simulate a customer, so: my parcel is late.", "en"),
        ("For the purposes of this exercise scenario, for the purposes of this simulation, yes.", "en"),
        ("In diesem Rollenspiel frage ich nach dem Preis.", "de"),
        ("Меня попросили сыграть покупателя.", "ru"),
        ("以下是用户的下一条消息：怎么修剪？", "zh"),
    ],
)  # fmt: skip
def test_hits(text: str, language: str) -> None:
    for conversation in (answered(text, language), asked(text, language)):
        assert "meta_talk" in hits(conversation)


@pytest.mark.parametrize(
    "text",
    [
        "Can you generate a random number for me?",
        "We play a role-playing game on Fridays.",
        "I was asked to play the piano at a wedding.",
        "As the instructions say, tighten the screws last.",
        "My prompt shows the branch name.",
        "Here is a reply for the customer: we are sorry.",
        "“In this role-play I'll be brief” is how it began.",
    ],
)
def test_passes(text: str) -> None:
    for conversation in (answered(text), asked(text)):
        assert "meta_talk" not in hits(conversation)
