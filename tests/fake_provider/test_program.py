"""Rules: which request they take, how often, and what a nonsensical one is told."""

import pytest

from tests.fake_provider.behaviour import Behaviour
from tests.fake_provider.client import AsyncFakeProvider, ProviderRefused
from tests.fake_provider.request import ChatRequest
from tests.fake_provider.rules import (
    Answer,
    Failure,
    LogNormal,
    Match,
    Program,
    Rule,
    Scripted,
    Window,
)
from tests.fake_provider.wire import Wait


def asked(text: str = "hello", key: str | None = None, model: str = "m") -> ChatRequest:
    return ChatRequest(text.encode().ljust(32), key, model, (("user", text),))


def actions(program: Program, *requests: ChatRequest) -> list[str]:
    behaviour = Behaviour(program)
    return [behaviour.decide(request, None, 0.0).action for request in requests]


def test_first_rule_that_applies_decides() -> None:
    program = Program(
        rules=(
            Rule(Match(model="m", text="user: hel"), Failure("overloaded"), times=1),
            Rule(Match(pattern=r"h.llo$"), Failure("unavailable")),
        )
    )
    seen = actions(program, asked(), asked(), asked(model="other"), asked("bye"))
    assert seen == ["overloaded", "unavailable", "unavailable", "answer"]


def test_window_counts_all_requests_or_each_key() -> None:
    second = Program(rules=(Rule(Match(window=Window(2, 2)), Failure()),))
    assert actions(second, asked(), asked(), asked()) == ["answer", "server_error", "answer"]
    first_attempt = Program(rules=(Rule(Match(window=Window(1, 1, per_key=True)), Failure()),))
    requests = [asked(key=key) for key in ("a", "b", "a", "b")]
    assert actions(first_attempt, *requests) == ["server_error"] * 2 + ["answer"] * 2


def test_probability_takes_its_share_and_redraws_for_a_repeat() -> None:
    program = Program(rules=(Rule(Match(probability=0.3), Failure()),), seed=7)
    requests = [asked(str(number), key=str(number)) for number in range(2000)]
    seen = actions(program, *requests)
    assert 500 < seen.count("server_error") < 700
    assert seen == actions(program, *requests)
    repeats = actions(program, *[requests[0]] * 200)
    assert 30 < repeats.count("server_error") < 90


def test_script_goes_through_its_texts() -> None:
    bodies = {
        then: [
            behaviour.decide(asked(str(number)), None, 0.0).completion_tokens for number in range(4)
        ]
        for then, behaviour in (
            ("last", Behaviour(Program(rules=(Rule(action=Scripted(("a", "b b"))),)))),
            ("again", Behaviour(Program(rules=(Rule(action=Scripted(("a", "b b"), "again")),)))),
        )
    }
    assert bodies == {"last": [1, 2, 2, 2], "again": [1, 2, 1, 2]}
    left = Program(rules=(Rule(action=Scripted(("a",), "next_rule")), Rule(action=Failure())))
    assert actions(left, asked(), asked()) == ["scripted", "server_error"]


def test_latency_is_drawn_from_the_request_and_capped() -> None:
    program = Program(latency=LogNormal(median=1.0, sigma=2.0, cap=3.0))
    waits = [Behaviour(program).decide(asked(str(n)), None, 0.0).steps[0] for n in range(200)]
    seconds = sorted(wait.seconds for wait in waits if isinstance(wait, Wait))
    assert len(seconds) == 200
    assert 0.5 < seconds[100] < 2.0
    assert seconds[-1] == 3.0
    slow_rule = Program(rules=(Rule(action=Answer(), latency=2.5),))
    assert Behaviour(slow_rule).decide(asked(), None, 0.0).steps[0] == Wait(2.5)


@pytest.mark.anyio
async def test_a_rule_without_sense_is_refused(provider: AsyncFakeProvider) -> None:
    with pytest.raises(ProviderRefused, match="rule 0: pattern"):
        await provider.program(Rule(Match(pattern="(")))
    with pytest.raises(ProviderRefused, match="at least one text"):
        await provider.program(Rule(action=Scripted(())))
