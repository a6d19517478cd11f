import pytest

from tests.filters.talk import hits, only, talk

ENDLESS = ("Thanks a lot!", "You're welcome!", "Bye!", "Take care!", "You too, bye!", "Goodbye!")
ENDLOS = ("Danke!", "Gern geschehen!", "Tschüss!", "Bis bald!", "Ebenfalls!", "Schönen Tag noch!")


@pytest.mark.parametrize(("turns", "language"), [(ENDLESS, "en"), (ENDLOS, "de")])
def test_hits_the_first_turn_too_many(turns: tuple[str, ...], language: str) -> None:
    hit = hits(talk("How late is it?", "Nine.", *turns, language=language))["thanks_loop"]
    assert hit.turn == 6
    assert hit.excerpt == turns[4]


@pytest.mark.parametrize(
    "turns",
    [
        ENDLESS[:4],
        ("Thanks!", "Welcome.", "And the salt?", "Thanks for asking: two spoons.", *ENDLESS[:4]),
        (
            "Thanks, and how long?",
            "An hour, take care.",
            "Thanks, which oven?",
            "The small one. Bye!",
        )
        * 2,
    ],
)
def test_passes(turns: tuple[str, ...]) -> None:
    assert "thanks_loop" not in hits(talk(*turns))


def test_how_long_it_may_take_is_set_by_the_config() -> None:
    assert "thanks_loop" in hits(talk(*ENDLESS[:4]), only("thanks_loop", most_turns=3))
