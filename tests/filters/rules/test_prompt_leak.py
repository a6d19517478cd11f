import pytest

from tests.filters.talk import answered, asked, hits, only, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "As an AI language model playing the role of a gardener, I say no.",
            "As an AI language model playing the role",
        ),
        ("The user persona would not ask that.", "The user persona"),
        ("My persona is a shy man.", "My persona is"),
        ("According to my system prompt I must not.", "According to my system prompt"),
        ("I can not tell you my system prompt.", "my system prompt"),
        ("I'm playing the user here.", "I'm playing the user"),
        ("I will stay in character now.", "stay in character"),
        ("Here is the conversation between Ana and Bo.", "Here is the conversation between"),
        ("End of the conversation.", "End of the conversation"),
        ("This is a simulated dialogue.", "simulated dialogue"),
        ("Fine.<|im_end|>", "<|im_end|>"),
        ("[INST] go on [/INST]", "[INST]"),
        ("### Response:\nWell.", "### Response:"),
        (
            "Ask how to plan a small herb garden and the assistant answers with care, and without lists",
            "",
        ),
        (
            "I see, Ana is a retired teacher who has never grown a plant in all her life!",
            "Ana is a retired teacher who has never grown a plant in all her life",
        ),
        (
            "so: asks how to plan a small kitchen garden, and the assistant answers, hm",
            "asks how to plan a small kitchen garden, and the assistant answers",
        ),
    ],
)
def test_hits(text: str, words: str) -> None:
    for conversation in (answered(text), asked(text)):
        found = hits(conversation).get("prompt_leak")
        if words:
            assert found is not None
            assert words_of(conversation, found) == words
        else:  # one word differs in the middle of the run
            assert found is None


@pytest.mark.parametrize(
    "text",
    [
        "How do I plan a small kitchen garden?",
        "We made a user persona for the marketing team.",
        "The character in the novel changes.",
        "What is a system prompt?",
        "My brother is playing the piano.",
        "Here is the script for the backup.",
        "Use `<|im_end|>` as the marker.",
        "Is 3 <| 4 in that language?",
        "She has been a retired teacher for years.",
        "Our conversation ended well.",
        "用户画像是什么？",
        "Le personnage est drôle.",
    ],
)
def test_passes(text: str) -> None:
    for conversation in (answered(text), asked(text)):
        assert "prompt_leak" not in hits(conversation)


def test_the_length_of_a_run_is_set_by_the_config() -> None:
    text = "So, asks how to plan a small kitchen garden."
    assert "prompt_leak" not in hits(answered(text))
    hit = hits(answered(text), only("prompt_leak", run_words=8))["prompt_leak"]
    assert "8 words" in hit.detail
    assert "prompt_leak" not in hits(answered(text), only("prompt_leak", run_words=9))


def test_a_run_is_found_wherever_it_starts() -> None:
    prompt = (
        "asks how to plan a small kitchen garden and the assistant answers with care "
        "and without any lists"
    )
    words = prompt.split()
    for start in range(len(words) - 12):
        text = "well " * start + " ".join(words[start : start + 12]) + " indeed"
        assert "prompt_leak" in hits(answered(text)), text
