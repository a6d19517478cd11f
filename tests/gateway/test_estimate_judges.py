"""What judges with samples, a panel, a comparison and rechecks cost: expected, as ended runs made it, and at most."""

import pytest

from convo_events.catalog import Example, Judging, PromptSet, RunConfig
from convo_gateway.estimate import estimate
from convo_gateway.judge_calls import Sitting
from convo_gateway.past_runs import History
from convo_gateway.sample_cap import most_micro
from tests.gateway.catalog.samples import catalog, config
from tests.gateway.estimating import NOON, estimated, past, role, runs, snapshot, used

PLAIN = config()
SECOND = {"backend": "api", "model": "small", "max_tokens": 100}
COMPARED = {"example": "greeting"}
OBJECTS = [
    one.model_copy(update={"examples": (Example(name="greeting", turns=("Hi", "x" * 4000)),)})
    if isinstance(one, PromptSet)
    else one
    for one in catalog()
]


def judging(**options: object) -> RunConfig:
    assert PLAIN.judge is not None
    changed = Judging.model_validate({**PLAIN.judge.model_dump(), **options})
    return PLAIN.model_copy(update={"judge": changed})


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        ({}, 1),
        ({"samples": 3}, 3),
        ({"samples": 3, "panel": [SECOND]}, 6),
        ({"recheck_share": 0.5}, 1.5),
    ],
)
def test_calls_of_the_judges_are_samples_times_judges_and_the_share_that_is_rechecked(
    options: dict[str, object], calls: float
) -> None:
    plain, found = estimated(PLAIN), estimated(judging(**options))
    several = [part for part in found.roles if part.role == "judge"]
    each = role(plain, "judge").calls_per_conversation
    assert sum(part.calls_per_conversation for part in several) == pytest.approx(each * calls, 0.02)
    assert found.total is not None
    assert found.judge is not None
    assert found.total.expected == sum(p.cost.expected for p in found.roles if p.cost)


def test_a_panel_is_priced_judge_by_judge() -> None:
    found = estimated(judging(panel=[SECOND]))
    assert [(p.backend, p.model) for p in found.roles if p.role == "judge"] == [
        ("api", role(estimated(), "judge").model),
        ("api", "small"),
    ]


def test_what_passes_is_compared_twice_with_prompts_of_both_conversations() -> None:
    sitting = Sitting(samples=3, judges=2, compared=True, rechecked=0.1)
    assert sitting.calls == pytest.approx(3 * 2 + 2 + 0.1)
    plain = role(estimated(), "judge")
    compared = estimate(snapshot(judging(comparison=COMPARED), OBJECTS), History(), NOON)
    found = role(compared, "judge")
    assert plain.calls_per_conversation + 1.5 < found.calls_per_conversation <= 3
    assert found.input_per_call > plain.input_per_call + 500
    assert any("compared in both orders" in line for line in compared.basis.assumptions)


def test_history_of_other_options_is_scaled_to_those_of_the_run() -> None:
    known = runs(past())
    once, thrice = estimated(PLAIN, known), estimated(judging(samples=3), known)
    assert role(thrice, "judge").calls == pytest.approx(3 * role(once, "judge").calls, abs=2)
    of_three = past(
        judge_calls=3, roles={**past().roles, "judge": (used(21, 12600, 420, 0, "large"),)}
    )
    assert role(estimated(PLAIN, runs(of_three)), "judge").calls == role(once, "judge").calls


def test_verdicts_from_the_cache_are_not_counted_on() -> None:
    (call,) = past().roles["judge"]
    halved = type(call)(4, 2400, 80, 0, backend="api", model="large", from_cache=3)
    cached = estimated(PLAIN, runs(past(roles={**past().roles, "judge": (halved,)})))
    assert role(cached, "judge").calls == role(estimated(PLAIN, runs(past())), "judge").calls


def test_the_cap_of_a_sample_has_room_for_every_judge_and_every_retry() -> None:
    def most(wanted: RunConfig) -> int:
        frozen = snapshot(wanted, OBJECTS)
        found = most_micro(frozen.model_copy(update={"only": 0}))
        assert found is not None
        return found

    judge = PLAIN.roles.judge
    assert judge is not None
    second = judge.model_dump()
    one = most(PLAIN)
    two, four = most(judging(panel=[second])), most(judging(panel=[second], samples=2))
    assert two - one == (four - two) / 2 > 0
    assert most(judging(comparison=COMPARED)) > one
    assert most(judging(retries=5)) >= one


def test_an_unpriced_judge_of_the_panel_makes_the_total_unknown() -> None:
    found = estimated(judging(panel=[{"backend": "api", "model": "unpriced"}]))
    assert (found.total, found.judge, found.unpriced) == (None, None, ("api/unpriced",))
    assert found.generation is not None
