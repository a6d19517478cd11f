import pytest

from convo_events.conversations import Conversation
from tests.filters.talk import hits, only, talk

LONG = "I would start with the beds near the wall, since they get sun until late and hold the warmth at night."


def repeats(first: str, second: str) -> Conversation:
    return talk(first, "Right then.", second, "Fine, go on.")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Where do I put the seeds now?", "Where do I put the seeds now?"),
        ("Where do I put the seeds now?", "where do i put the SEEDS now"),
        (LONG, LONG + " Really."),
        (LONG, "Well, " + LONG),
        (LONG, LONG.replace("late", "noon", 1)),
        (LONG, LONG.replace("wall", "fence").replace("wall", "fence")),
        ("今天我们去公园散步好不好呢", "今天我们去公园散步好不好呢！"),
        ("Скажите, когда лучше сажать чеснок осенью?", "Скажите, когда лучше сажать чеснок осенью"),
        ("¿Cuándo se plantan los ajos aquí?", "¿Cuándo se plantan los ajos aquí? 🌱"),
        ("yes yes yes yes yes", "yes yes yes yes yes"),
    ],
)
def test_hits(first: str, second: str) -> None:
    hit = hits(repeats(first, second))["repeated_turn"]
    assert hit.turn == 2
    assert "turn 0" in hit.detail


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Thanks a lot!", "Thanks a lot!"),
        ("ok", "ok"),
        ("Where do I put the seeds now?", "Where do I put the tools then?"),
        (LONG, "I would start with the pots, since they can move with the sun."),
        ("好的，谢谢", "好的，谢谢"),
        (LONG, " ".join(reversed(LONG.split()))),
        ("", ""),
        ("🙂", "🙂"),
        ("Какой чеснок лучше сажать осенью?", "Какой лук лучше сажать весной?"),
        ("one two three four five", "six seven eight nine ten"),
    ],
)
def test_passes(first: str, second: str) -> None:
    assert "repeated_turn" not in hits(repeats(first, second))


def test_the_other_speaker_may_use_the_same_words() -> None:
    assert "repeated_turn" not in hits(talk(LONG, LONG))


def test_an_equal_turn_is_found_however_long_ago() -> None:
    turns = [f"This is line number {at} of {at} and it says {at} things" for at in range(120)]
    assert "repeated_turn" not in hits(talk(*turns), only("repeated_turn", similarity=0.99))
    found = hits(talk(*turns, turns[0], "Bye now."), only("repeated_turn", similarity=0.99))
    assert found["repeated_turn"].turn == 120
