import pytest

from tests.filters.talk import answered, asked, hits, only, talk, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Run this:\n```python\nprint(1)\n\nThen wait.", "```python"),
        ("~~~\nx = 1\n```\nand so on.", "~~~"),
        ("```\na\n```\nthen\n```sh\nls", "```sh"),
        ("````\n```\nstill inside.", "````"),
        ("```js\r\nlet a\r\n``` and that is all.", "```js"),
    ],
)
def test_hits(text: str, words: str) -> None:
    conversation = talk("How?", text, "And now?", "Done.")
    assert words_of(conversation, hits(conversation)["code_fence_broken"]).strip() == words


@pytest.mark.parametrize(
    "text",
    [
        "```python\nprint(1)\n```\nDone.",
        "Use ``` to open a block.",
        "````md\n```\nx\n```\n````",
        "```print(1)``` does it.",
        "~~strike~~ and ~~~ here",
        "1. Run:\n   ```sh\n   ls\n   ```\n2. Look.",
    ],
)
def test_passes(text: str) -> None:
    assert "code_fence_broken" not in hits(answered(text))


def test_users_are_looked_at_where_the_config_says_so() -> None:
    text = "look\n```\nprint(1)"
    assert "code_fence_broken" not in hits(asked(text))
    assert "code_fence_broken" in hits(asked(text), only("code_fence_broken", users=True))
