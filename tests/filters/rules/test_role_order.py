import pytest

from convo_events.conversations import Conversation, Turn
from tests.filters.talk import hits, only

NAMES = {"u": "user", "a": "assistant"}


def speakers(order: str) -> Conversation:
    return Conversation.model_validate(
        {"turns": [{"role": NAMES[one], "text": f"Line {at}."} for at, one in enumerate(order)]}
    )


@pytest.mark.parametrize(
    ("order", "turn"),
    [
        ("a", 0), ("au", 0), ("aua", 0), ("uu", 1), ("uua", 1), ("uaa", 2), ("uaua" + "a", 4), ("uauu", 3),
        ("u", 0), ("uau", 2), ("uaaua", 2),
    ],
)  # fmt: skip
def test_g01_hits(order: str, turn: int) -> None:
    assert hits(speakers(order))["role_order"].turn == turn


@pytest.mark.parametrize("pairs", [1, 2, 3, 4, 5, 10, 50, 200])
def test_g01_passes(pairs: int) -> None:
    assert "role_order" not in hits(speakers("ua" * pairs))


def test_the_user_may_end_where_the_config_says_so() -> None:
    assert "role_order" not in hits(speakers("uau"), only("role_order", ends_with="any"))
    assert "role_order" in hits(speakers("uauu"), only("role_order", ends_with="any"))


def test_no_turns_are_left_to_another_rule() -> None:
    assert "role_order" not in hits(Conversation(turns=()))
    assert Turn(role="user", text="x").role == "user"
