import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.conversations import Role, Turn
from convo_generator.dialogue import KICK_OFF, messages, next_speaker, turn_from_reply
from convo_generator.malformed import Malformed
from convo_models.past import Past
from tests.snapshots import drawn, prompt_set, snapshot

PROMPTS = prompt_set(user="SECRET-USER {{ turn }}", assistant="SECRET-ASSISTANT {{ turn }}")


def said(*texts: str) -> Past:
    roles: tuple[Role, Role] = ("user", "assistant")
    return Past(tuple(Turn(role=roles[at % 2], text=text) for at, text in enumerate(texts)))


def test_g01_the_user_speaks_first_and_roles_alternate() -> None:
    turns: tuple[Turn, ...] = ()
    for _ in range(6):
        turns = (*turns, Turn(role=messages(snapshot(), drawn(), Past(turns))[0], text="x"))
    assert [turn.role for turn in turns] == ["user", "assistant"] * 3
    assert next_speaker(turns) == "user"


def test_the_first_message_is_asked_for_with_the_opening() -> None:
    prompts = prompt_set(opening="Open as {{ persona.name }}.")
    assert messages(snapshot(prompts), drawn(), Past()) == (
        "user",
        (("system", "Open as ana."), ("user", KICK_OFF)),
    )
    assert messages(snapshot(prompts), drawn(), said("a", "b"))[1][0] == (
        "system",
        "You are the user.",
    )


def test_each_side_hears_the_other_as_user() -> None:
    assert messages(snapshot(PROMPTS), drawn(), said("u1", "a1", "u2"))[1] == (
        ("system", "SECRET-ASSISTANT 4"),
        ("user", "u1"),
        ("assistant", "a1"),
        ("user", "u2"),
    )
    assert messages(snapshot(PROMPTS), drawn(), said("u1", "a1"))[1] == (
        ("system", "SECRET-USER 3"),
        ("user", KICK_OFF),
        ("assistant", "u1"),
        ("user", "a1"),
    )


@pytest.mark.parametrize("length", range(7))
def test_neither_side_sees_the_others_prompt_and_messages_alternate(length: int) -> None:
    speaker, sent = messages(snapshot(PROMPTS), drawn(), said(*"abcdefg"[:length]))
    other = {"user": "SECRET-ASSISTANT", "assistant": "SECRET-USER"}[speaker]
    assert other not in str(sent)
    assert [role for role, _ in sent[1:]] == ["user", "assistant"] * (len(sent[1:]) // 2) + ["user"]


def test_u04_what_was_said_is_sent_as_it_was_said() -> None:
    text = "{x} {{x}} %s $x 漢字 é 🙂 \u202e"
    assert messages(snapshot(), drawn(), said(text))[1][-1] == ("user", text)


@pytest.mark.parametrize(
    ("reply", "turn"),
    [
        ("  Hello. \n", "Hello."),
        ('"Hello."', "Hello."),
        ("“Hello.”", "Hello."),
        ("User: Hello.", "Hello."),
        ('USER : "Hello."', "Hello."),
        ('"User: Hello."', "Hello."),
        ("```\nHello.\n```", "Hello."),
        ("```text\nHello.\n```", "Hello."),
        ("<think>\nhm\n</think>\n\nHello.", "Hello."),
        ("<think>a</think>Hel<think>b</think>lo.", "Hello."),
        ("null \x00 and \ud800", "null \ufffd and \ufffd"),
        ("", ""),
        (" \n", ""),
        ("<think>only thoughts</think>", ""),
    ],
)
def test_what_stands_around_a_turn_is_taken_off(reply: str, turn: str) -> None:
    assert turn_from_reply(reply, "user") == turn


@pytest.mark.parametrize(
    "reply",
    [
        "Assistant: Hello.",
        "Users: many",
        '"Hello" and "bye"',
        "'tis what it's about'",
        '"',
        "```python\nprint(1)\n```",
        "```\na\n```\ntext\n```\nb\n```",
        "*waves* Hello.",
        "Hello.\nUser: again",
        "I said User: x",
    ],
)
def test_everything_else_is_left_to_the_rules(reply: str) -> None:
    assert turn_from_reply(reply, "user") == reply


@pytest.mark.parametrize("reply", ["<think>and then it was cut", "thoughts</think>Hello."])
def test_half_a_thought_is_malformed(reply: str) -> None:
    found = turn_from_reply(reply, "assistant")
    assert isinstance(found, Malformed)
    assert "max_tokens" in found.detail


@given(st.text(), st.sampled_from(["user", "assistant"]))
def test_any_reply_is_read(reply: str, speaker: Role) -> None:
    turn = turn_from_reply(reply, speaker)
    assert isinstance(turn, Malformed) or turn.encode() is not None


def test_many_open_thoughts_are_read_in_one_pass() -> None:
    assert isinstance(turn_from_reply("<think>" * 200_000, "user"), Malformed)
