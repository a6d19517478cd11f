"""How every ending of a call is booked, and what its step comes back with."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convo_events.catalog import Backend, Model
from convo_events.outcomes import StepBlocked, StepDeferred, StepFact, StepFailed
from convo_events.prices import Prices, Rates
from convo_events.steps import StepKind, StepRequested
from convo_events.usage import Usage
from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.backends.protocol import ChatReply
from convo_models.booking import LONGEST_BACKOFF_S, Asked, aborted, after_error, backoff_s
from convo_models.claim import ClaimToken

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
PRICES = Prices(
    rates=Rates(input=Decimal("2"), output=Decimal("1000"), cached_input=Decimal("0.5"))
)
USAGE = Usage(input_tokens=100, cached_tokens=40, output_tokens=7, reasoning_tokens=3)
COST = 60 * 2 + 40 // 2 + 7 * 1000


def asked(*, priced: bool = True, attempt: int = 2) -> Asked:
    models = (Model(name="writer", prices=PRICES if priced else None),)
    return Asked(
        role="judge",
        backend=Backend(name="fake", base_url="http://b", models=models),
        model="writer",
        token=ClaimToken("key", attempt, attempt, 0.0, 20.0),
        worst_micro=9_000 if priced else None,
        sent_at=AT,
    )


def request(kind: StepKind = "generate") -> StepRequested:
    return StepRequested(
        run="run-a",
        thread=1,
        conversation=2,
        step=5,
        leader=1,
        epoch=1,
        kind=kind,
        emit=1,
        snapshot="s",
    )


def error(kind: ErrorKind, **known: object) -> BackendError:
    status = {"rate_limited": 429, "overloaded": 503, "auth": 401, "malformed": 200}.get(kind)
    return BackendError(kind, f"it was {kind}", **({"status": status} | known))  # type: ignore[arg-type]


def after(kind: ErrorKind, stage: StepKind = "generate", **known: object) -> tuple[str, StepFact]:
    trouble = error(kind, **known)
    return after_error(request(stage), trouble, asked().went_wrong(trouble), AT, 0.5)


ENDINGS: dict[ErrorKind, tuple[str, type[StepFact], str]] = {
    ErrorKind.rate_limited: ("deferred", StepDeferred, "rate_limited"),
    ErrorKind.overloaded: ("deferred", StepDeferred, "overloaded"),
    ErrorKind.unreachable: ("deferred", StepDeferred, "unreachable"),
    ErrorKind.timeout: ("deferred", StepDeferred, "timeout"),
    ErrorKind.malformed: ("deferred", StepDeferred, "malformed"),
    ErrorKind.auth: ("deferred", StepBlocked, "backend_auth"),
    ErrorKind.quota: ("deferred", StepBlocked, "backend_quota"),
    ErrorKind.not_found: ("deferred", StepBlocked, "backend_model"),
    ErrorKind.refused: ("failed", StepFailed, "backend_refused"),
    ErrorKind.bad_request: ("failed", StepFailed, "generation_failed"),
    ErrorKind.context_exceeded: ("failed", StepFailed, "context_exceeded"),
    ErrorKind.too_large: ("failed", StepFailed, "malformed_output"),
}


def test_every_kind_of_trouble_has_an_ending() -> None:
    assert set(ENDINGS) == set(ErrorKind)


@pytest.mark.parametrize("kind", ErrorKind)
def test_each_kind_ends_as_it_must(kind: ErrorKind) -> None:
    ending, event = after(kind)
    wanted_ending, shape, reason = ENDINGS[kind]

    assert ending == wanted_ending
    assert type(event) is shape
    assert event.reason == reason  # type: ignore[attr-defined]  # all three shapes have one
    assert event.detail == f"it was {kind}"  # type: ignore[attr-defined]
    assert (event.run, event.thread, event.conversation, event.step) == ("run-a", 1, 2, 5)
    assert event.call.attempt == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (ErrorKind.refused, "judge_failed"),
        (ErrorKind.bad_request, "judge_failed"),
        (ErrorKind.too_large, "judge_failed"),
        (ErrorKind.context_exceeded, "context_exceeded"),
    ],
)
def test_l07_trouble_of_the_judge_is_the_judges(kind: ErrorKind, reason: str) -> None:
    _, event = after(kind, "judge")
    assert isinstance(event, StepFailed)
    assert event.reason == reason


@pytest.mark.parametrize("kind", ErrorKind)
def test_only_a_huge_answer_is_tried_anew_as_a_new_step(kind: ErrorKind) -> None:
    _, event = after(kind)
    if isinstance(event, StepFailed):
        assert event.retryable == (kind is ErrorKind.too_large)


@pytest.mark.parametrize("kind", [k for k, v in ENDINGS.items() if v[1] is StepDeferred])
def test_l01_only_a_rate_limit_uses_up_no_try(kind: ErrorKind) -> None:
    _, event = after(kind)
    assert isinstance(event, StepDeferred)
    assert event.counts == (kind is not ErrorKind.rate_limited)


@pytest.mark.parametrize(
    ("kind", "known", "basis", "cost"),
    [
        (ErrorKind.rate_limited, {}, "free", 0),
        (ErrorKind.auth, {}, "free", 0),
        (ErrorKind.bad_request, {"status": 400}, "free", 0),
        (ErrorKind.unreachable, {"sent": False}, "free", 0),
        (ErrorKind.unreachable, {"sent": True}, "worst_case", 9_000),
        (ErrorKind.timeout, {}, "worst_case", 9_000),
        (ErrorKind.timeout, {"status": 408}, "worst_case", 9_000),
        (ErrorKind.overloaded, {}, "worst_case", 9_000),
        (ErrorKind.malformed, {}, "worst_case", 9_000),
        (ErrorKind.too_large, {"status": 200}, "worst_case", 9_000),
        (ErrorKind.malformed, {"usage": USAGE}, "exact", COST),
        (ErrorKind.refused, {"status": 400, "usage": USAGE}, "exact", COST),
        (
            ErrorKind.timeout,
            {"usage": USAGE.model_copy(update={"estimated": True})},
            "estimated",
            COST,
        ),
    ],
)
def test_c06_a_failed_call_is_charged_what_it_may_have_cost(
    kind: ErrorKind, known: dict[str, object], basis: str, cost: int
) -> None:
    call = asked().went_wrong(error(kind, **known))

    assert (call.basis, call.cost_micro, call.error) == (basis, cost, kind.value)
    assert call.usage == known.get("usage")


def test_what_the_provider_said_of_a_failed_call_is_kept() -> None:
    call = asked().went_wrong(error(ErrorKind.malformed, usage=USAGE, provider_cost_micro=9))
    assert (call.cost_micro, call.provider_cost_micro) == (COST, 9)


@pytest.mark.parametrize("kind", [ErrorKind.timeout, ErrorKind.malformed])
def test_c09_without_a_price_a_failed_call_is_unknown(kind: ErrorKind) -> None:
    for known in ({}, {"usage": USAGE}):
        call = asked(priced=False).went_wrong(error(kind, **known))
        assert (call.basis, call.cost_micro) == ("unpriced", None)


def test_c09_without_a_price_a_refused_call_is_free_all_the_same() -> None:
    call = asked(priced=False).went_wrong(error(ErrorKind.rate_limited))
    assert (call.basis, call.cost_micro) == ("free", 0)


def test_c14_an_answer_is_priced_exactly() -> None:
    reply = ChatReply(
        text="hi",
        finish="length",
        usage=USAGE,
        response_model="writer-2026",
        provider_id="id-1",
        provider_cost_micro=7_000,
        latency_ms=15,
    )
    call = asked().answered(reply)

    assert (call.basis, call.cost_micro, call.error) == ("exact", COST, None)
    assert (call.role, call.backend, call.model, call.attempt) == ("judge", "fake", "writer", 2)
    assert (call.response_model, call.provider_id) == ("writer-2026", "id-1")
    assert (call.provider_cost_micro, call.latency_ms, call.finish) == (7_000, 15, "length")
    assert asked(priced=False).answered(reply).basis == "unpriced"


def test_c13_reasoning_is_a_part_of_the_output_and_not_added() -> None:
    plain = asked().answered(
        ChatReply("hi", "stop", USAGE.model_copy(update={"reasoning_tokens": 0}))
    )
    thought = asked().answered(ChatReply("hi", "stop", USAGE))

    assert thought.cost_micro == plain.cost_micro
    assert thought.usage is not None
    assert thought.usage.reasoning_tokens == 3


def test_an_estimated_usage_is_said_to_be_one() -> None:
    usage = USAGE.model_copy(update={"estimated": True})
    assert asked().answered(ChatReply("hi", "stop", usage)).basis == "estimated"


def test_a_model_that_names_itself_as_asked_is_not_named_twice() -> None:
    reply = ChatReply("hi", "stop", USAGE, response_model="writer")
    assert asked().answered(reply).response_model is None


def test_c07_each_attempt_is_a_booking_of_its_own() -> None:
    calls = [asked(attempt=n).answered(ChatReply("hi", "stop", USAGE)) for n in (1, 2, 3)]
    assert [(call.step_key, call.attempt) for call in calls] == [("key", 1), ("key", 2), ("key", 3)]


@pytest.mark.parametrize(("priced", "basis"), [(True, "worst_case"), (False, "unpriced")])
def test_k01_a_call_that_cancel_cut_is_booked_at_its_worst(priced: bool, basis: str) -> None:
    fact = aborted(request(), asked(priced=priced).unknown("aborted"))

    assert (fact.call.basis, fact.call.error) == (basis, "aborted")
    assert fact.call.cost_micro == (9_000 if priced else None)


def test_l06_what_the_provider_asked_for_is_waited_for_and_a_little_more() -> None:
    _, event = after(ErrorKind.rate_limited, retry_after_s=30)
    assert isinstance(event, StepDeferred)
    assert event.not_before == AT + timedelta(seconds=33)


@given(
    st.integers(1, 10**6),
    st.one_of(st.none(), st.floats(0, 900)),
    st.floats(0, 1),
)
def test_l06_a_wait_is_never_shorter_than_asked_and_never_much_longer(
    attempt: int, asked_s: float | None, jitter: float
) -> None:
    wait_s = backoff_s(attempt, asked_s, jitter)
    least = min(LONGEST_BACKOFF_S, 2.0 ** min(attempt - 1, 6)) if asked_s is None else asked_s

    assert least <= wait_s <= least + max(0.25, 0.2 * least) + 1e-9


def test_waits_double_up_to_a_minute() -> None:
    waits = [backoff_s(attempt, None, 0.0) for attempt in (1, 2, 3, 6, 7, 8, 5_000)]
    assert waits == [1, 2, 4, 32, 60, 60, 60]
