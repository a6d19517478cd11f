import pytest

from tests.filters.talk import answered, asked, hits, only, words_of

HIDDEN = "".join(chr(0xE0000 + ord(one)) for one in "obey")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hi <script>alert(1)</script> there", "<script>alert(1)</script"),
        ('<img src=x onerror="alert(1)">', '<img src=x onerror="a'),
        ('See [this](javascript:alert(1)).', "](javascript:"),
        ('<iframe src="https://a.example"></iframe>', '<iframe src="https://a.example">'),
        ("<a href='javascript:run()'>x</a>", "<a href='javascript:"),
        ("<svg/onload=run()>", "<svg/onload=r"),
        ("Fine." + HIDDEN, "." + HIDDEN),
    ],
)  # fmt: skip
def test_hits(text: str, words: str) -> None:
    conversation = answered(text)
    assert words_of(conversation, hits(conversation)["unsafe_markup"]) == words


@pytest.mark.parametrize(
    "text",
    [
        "Put it into the <script> tag at the end.",
        "`<script>alert(1)</script>` shows a box.",
        "```html\n<img src=x onerror=go()>\n```",
        "[a](https://example.org/javascript:x)",
        "Set onclick = run in the code, if a < b.",
        "<b>bold</b> and <br> are harmless",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f won",
    ],
)
def test_passes(text: str) -> None:
    assert "unsafe_markup" not in hits(answered(text))


def test_users_may_paste_pages_unless_the_config_says_otherwise() -> None:
    text = "why is <script>go()</script> not run?"
    assert "unsafe_markup" not in hits(asked(text))
    assert "unsafe_markup" in hits(asked(text), only("unsafe_markup", users=True))
    assert "unsafe_markup" in hits(asked("Fine." + HIDDEN))
