"""What ended runs tell about the next one: which of them count, for what, and how far apart they were."""

import pytest

from convo_events.catalog import PromptSet, RunConfig
from convo_events.plan import draw_at
from convo_gateway.catalog.documents import Named
from convo_gateway.estimate import estimate
from convo_gateway.past_runs import History
from convo_gateway.shapes.estimate import NOTHING, Range
from tests.gateway.catalog.samples import catalog, config, roles
from tests.gateway.estimating import NOON, estimated, past, role, runs, snapshot, used


class TestHistory:
    def test_averages_replace_the_defaults(self) -> None:
        found = estimated(history=runs(past()))
        user, judge = role(found, "user"), role(found, "judge")
        assert (user.calls, user.input_tokens, user.output_tokens) == (4, 440, 132)
        assert (user.calls_per_conversation, user.input_per_call, user.output_per_call) == (
            1.1,
            100,
            30,
        )
        assert user.cost == Range(round(968 * 0.75), 968, round(968 * 1.25))
        # Seven in ten reached the judge; half of its input was read from the cache at a tenth.
        assert (judge.input_tokens, judge.cached_tokens) == (1680, 840)
        assert judge.cost is not None
        assert judge.cost.expected == 840 * 10 + 840 * 1 + 56 * 40
        assert found.accepted == 2.0
        assert (found.basis.kind, found.basis.runs, found.basis.conversations) == ("history", 1, 10)
        assert (
            found.basis.said == "1 ended run of this config with the same prompts; 10 conversations"
        )
        assert found.basis.assumptions == ()

    def test_what_becomes_of_the_conversations_is_said_layer_by_layer(self) -> None:
        outcome = estimated(config(target_count=100), runs(past())).outcome
        assert outcome is not None
        assert (outcome.accepted, outcome.failed) == (50, 10)
        assert (outcome.mechanical, outcome.diversity, outcome.judge) == (20, 10, 10)
        assert estimated().outcome is None

    def test_the_range_is_what_lies_between_three_runs_and_more(self) -> None:
        few = estimated(history=runs(past(), past()))
        assert "as fewer than 3 runs" in few.basis.range
        dear = {"user": (used(11, 2200, 660),), "assistant": (used(10, 6000, 1000),)}
        same = estimated(history=runs(past(), past(), past()))
        apart = estimated(history=runs(past(), past(), past(roles=dear)))
        for found in (few, same, apart):
            assert found.total is not None
        assert same.total is not None
        assert apart.generation is not None
        # Three equal runs still leave 3 % open; one at the double price opens the range widely.
        assert same.total.high == pytest.approx(1.03 * same.total.expected, rel=0.001)
        assert apart.generation.high > 1.5 * apart.generation.expected
        assert apart.generation.low >= 0
        assert apart.basis.range.startswith("2 standard deviations")

    def test_runs_with_the_same_prompts_go_before_all_others(self) -> None:
        longer = {"user": (used(11, 11_000, 330),), "assistant": (used(10, 3000, 500),)}
        other = past(roles=longer, prompt_set="prompts 7")
        found = estimated(history=runs(other, past()))
        assert role(found, "user").input_per_call == 100
        few = past(made=4, accepted=2, turns=8)
        assert not estimated(history=runs(other, few)).basis.same_prompts, "four tell too little"
        alone = estimated(history=runs(other))
        assert role(alone, "user").input_per_call == 1000
        assert not alone.basis.same_prompts
        assert "with other prompts" in alone.basis.said

    def test_calls_to_the_same_model_go_before_those_to_another(self) -> None:
        mixed = {"user": (used(10, 5000, 10, model="large"), used(10, 100, 10))}
        assert role(estimated(history=runs(past(roles=mixed))), "user").input_per_call == 10
        other = {"user": (used(10, 5000, 10, model="large"),)}
        found = estimated(history=runs(past(roles=other)))
        assert role(found, "user").input_per_call == 500
        assert any("the model before" in said for said in found.basis.assumptions)

    def test_a_cancelled_run_tells_the_size_of_calls_and_nothing_else(self) -> None:
        found = estimated(history=runs(past(completed=False, made=1, accepted=0)))
        assert role(found, "user").input_per_call == 100
        assert role(found, "user").calls == 4
        assert (found.accepted, found.outcome) == (3.2, None)
        assert "1 of them cancelled" in found.basis.said
        beside = estimated(history=runs(past(completed=False, made=1, accepted=0), past()))
        assert role(beside, "user").calls_per_conversation == 1.1
        assert beside.accepted == 2.0

    def test_another_mode_tells_nothing(self) -> None:
        assert estimated(history=runs(past(mode="scripted"))).basis.kind == "default"

    def test_a_role_without_history_keeps_its_default_and_says_so(self) -> None:
        found = estimated(history=runs(past(roles={"user": (used(11, 1100, 330),)})))
        assert role(found, "user").from_history
        assert not role(found, "judge").from_history
        assert any("verdict" in assumption for assumption in found.basis.assumptions)

    def test_nothing_accepted_has_no_cost_per_accepted(self) -> None:
        found = estimated(history=runs(past(accepted=0)))
        assert found.accepted == 0
        assert found.per_accepted_micro is None
        assert found.total is not None

    def test_longer_conversations_make_more_calls_of_the_same_kind(self) -> None:
        longer = config(length_mix=[{"turns": [6, 6], "share": 1}])
        found = estimated(longer, runs(past()))
        assert role(found, "assistant").calls == 12
        assert role(found, "judge").calls == 3

    def test_runs_that_made_nothing_are_no_basis(self) -> None:
        found = estimated(history=runs(past(made=0)))
        assert found.basis.kind == "default"
        assert found.total == estimated().total


def beside(mode: str = "dialogue", **changes: object) -> RunConfig:
    """A config with roughening, and with memory in ``sessions``."""
    wanted = roles()
    wanted["roughen"] = wanted["memory"] = wanted["user"]
    if mode != "sessions":
        del wanted["memory"]
    fields: dict[str, object] = {"roughen": {"share": 0.25}, "threads": 4, "target_count": 40}
    if mode == "sessions":
        fields["memory"] = {}
    return config(mode=mode, roles=wanted, **(fields | changes))


def with_segments() -> list[Named]:
    segments = {
        "user": "{{ topics[:0] }}{{ memory }}",
        "assistant": "a",
        "roughen": "r" * 40,
        "memory": "m" * 80,
    }
    prompts = {"name": "prompts", "modes": ["dialogue", "sessions"], "segments": segments}
    return catalog(prompts=PromptSet.model_validate(prompts))


class TestRoughenAndMemory:
    def test_as_many_calls_as_the_plan_roughens(self) -> None:
        found = estimate(snapshot(beside(), with_segments()), History(), NOON)
        rough = role(found, "roughen")
        # One user turn each, sent and sent back with what frames it.
        assert (rough.calls, rough.output_tokens) == (10, 10 * (60 + 12))
        assert rough.input_tokens == 10 * (10 + 60 + 12)
        assert found.roughen == rough.cost
        assert found.memory == NOTHING

    def test_memory_follows_what_is_accepted_and_not_the_last(self) -> None:
        found = estimate(snapshot(beside("sessions"), with_segments()), History(), NOON)
        # 36 of 40 have a conversation behind them in their thread; four in five are accepted.
        assert role(found, "memory").calls == round(36 * 0.8)
        assert found.memory is not None
        assert found.memory.expected > 0
        parts = (found.generation, found.judge, found.memory, found.roughen)
        assert found.total is not None
        assert found.total.expected == sum(part.expected for part in parts if part)

    def test_history_carries_over_to_another_share_and_other_threads(self) -> None:
        told = {"roughen": (used(22, 2200, 660),), "memory": (used(9, 900, 90),)}
        known = past(
            mode="sessions", made=40, accepted=20, target=40, lanes=4, roughened=0.5, roles=told
        )
        frozen = snapshot(beside("sessions", threads=20), with_segments())
        found = estimate(frozen, runs(known), NOON)
        # 22 calls for 20 to be roughened; now there are 10.
        assert role(found, "roughen").calls == 11
        # 9 calls for 18 that were accepted and followed; now half are accepted and 20 of 40 are followed.
        assert role(found, "memory").calls == 5

    def test_a_sample_is_one_conversation(self) -> None:
        frozen = snapshot(beside("sessions"), with_segments())
        rough = next(at for at in range(40) if draw_at(frozen, at).roughen)
        found = estimate(frozen.model_copy(update={"only": rough}), History(), NOON)
        assert (found.conversations, role(found, "roughen").calls, role(found, "memory").calls) == (
            1,
            1,
            0,
        )
