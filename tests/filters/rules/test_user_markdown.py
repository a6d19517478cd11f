import pytest

from tests.filters.talk import answered, asked, hits, only

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"
CASES = [
    ("# My plan\nis this", "headings"),
    ("### Question 1", "headings"),
    ("so\n## 计划\n好", "headings"),
    (TABLE, "tables"),
    ("see\na | b\n--|--\n", ""),
    ("see\n|a|b|\n|:--|--:|\n", "tables"),
    ("look\n```python\nx\n```", "fences"),
    ("~~~\nx\n~~~", "fences"),
    ("- **Budget:** low", "bold_lists"),
    ("1. **Цена** — низкая", "bold_lists"),
    ("* __Zeit__: heute", "bold_lists"),
    ("2) **预算**：低", "bold_lists"),
]


@pytest.mark.parametrize(("text", "switch"), [case for case in CASES if case[1]])
def test_hits_users_and_not_assistants(text: str, switch: str) -> None:
    assert hits(asked(text))["user_markdown"].turn == 0
    assert "user_markdown" not in hits(answered(text))
    assert "user_markdown" not in hits(asked(text), only("user_markdown", **{switch: False}))


@pytest.mark.parametrize(
    "text",
    [
        "I am #1 in the queue",
        "#hashtag and C# and #2",
        "a | b or a || b",
        "- milk\n- eggs",
        "this is **really** odd",
        "1. first\n2. second",
        "use `grep` for it",
        "2 ** 3 is 8",
        "-- \nmy sign-off",
        "价格#1",
        "Was kostet es? --- nichts",
        "__init__ is the name",
    ],
)
def test_passes(text: str) -> None:
    assert "user_markdown" not in hits(asked(text))
