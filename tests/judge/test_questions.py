"""What each judge of a panel is asked in each sample, and what its outcome says of it."""

import json

import pytest

from convo_events.catalog import RoleModel
from convo_events.conversations import Turn
from convo_events.outcomes import Judged
from convo_events.steps import Purpose, StepRequested
from convo_events.usage import Call, Usage
from convo_judge.handlers import Judging as Craft
from convo_models.backends.protocol import ChatReply
from convo_models.paid_work import Order
from convo_models.past import Past
from tests.snapshots import JUDGING, drawn, snapshot

PANEL = (RoleModel(backend="here", model="second", temperature=0.4, max_tokens=300),)
MANY = tuple(
    JUDGING.criteria[0].model_copy(update={"name": name, "question": f"Is it {name}?"})
    for name in ("alpha", "beta", "gamma", "delta", "epsilon")
)
FROZEN = snapshot(
    judging=JUDGING.model_copy(update={"criteria": MANY, "samples": 3, "panel": PANEL})
)
TURNS = (Turn(role="user", text="Hi"), Turn(role="assistant", text="Hello"))


def step(
    sample: int = 0, seat: int = 0, purpose: Purpose = "verdict", number: int = 9
) -> StepRequested:
    return StepRequested(
        run="run-a",
        thread=0,
        conversation=0,
        leader=1,
        epoch=1,
        step=number,
        kind="judge",
        turn=2,
        emit=1,
        snapshot="s",
        purpose=purpose,
        seat=seat,
        sample=sample,
        earlier=4.0 if purpose == "recheck" else None,
    )


def order(asked: StepRequested) -> Order:
    found = Craft().order(asked, FROZEN, drawn(), Past(TURNS))
    assert isinstance(found, Order)
    return found


def asked_in_order(asked: StepRequested) -> list[str]:
    system = order(asked).request.messages[0][1]
    return sorted((one.name for one in MANY), key=lambda name: system.index(f"- {name} "))


def test_the_first_sample_and_a_recheck_have_the_rubrics_order() -> None:
    names = [one.name for one in MANY]
    assert asked_in_order(step()) == names
    assert asked_in_order(step(seat=1)) == names
    assert asked_in_order(step(purpose="recheck")) == names


def test_other_samples_have_other_orders_that_the_plan_draws() -> None:
    orders = [asked_in_order(step(sample)) for sample in (0, 1, 2)]
    assert len({tuple(names) for names in orders}) == 3
    assert asked_in_order(step(1)) == orders[1], "the same plan, the same order"
    found = order(step(1)).request.response_schema
    assert found is not None
    assert list(found["properties"]["criteria"]["properties"]) == orders[1]  # type: ignore[index,call-overload,arg-type]


def test_each_sample_has_a_seed_of_its_own() -> None:
    seeds = {order(step(at, number=9 + at)).request.seed for at in range(3)}
    assert len(seeds) == 3
    assert None not in seeds


def test_each_seat_asks_its_own_model() -> None:
    first, second = order(step()), order(step(seat=1))
    assert (first.chosen(FROZEN).model, second.chosen(FROZEN).model) == ("m", "second")
    assert (second.request.model, second.request.temperature) == ("second", 0.4)
    assert second.request.max_tokens == 300


@pytest.mark.parametrize("purpose", ["verdict", "recheck"])
def test_j08_a_verdict_says_who_gave_it_and_that_it_contradicts_itself(purpose: Purpose) -> None:
    scores = {one.name: {"score": 5} for one in MANY}
    text = json.dumps({"criteria": scores, "pass": False})
    reply = ChatReply(text=text, finish="stop", usage=Usage(input_tokens=1, output_tokens=1))
    call = Call(role="judge", backend="here", model="second", attempt=1, step_key="k", basis="free")
    found = Craft().read(step(2, 1, purpose), FROZEN, drawn(), Past(TURNS), reply, call)
    assert isinstance(found, Judged)
    assert (found.judge, found.seat, found.sample, found.purpose) == ("here/second", 1, 2, purpose)
    assert found.earlier == (4.0 if purpose == "recheck" else None)
    assert [one.name for one in found.criteria] == [one.name for one in MANY]
    assert "the judge also said pass: False" in found.note
