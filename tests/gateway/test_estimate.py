"""Estimates: exact on known calls, unknown where a price is, and close on the second run of a config."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import Backend, Model, PromptSet, RunConfig
from convo_events.plan import draw, draw_at
from convo_events.prices import Band, OffPeak, cost_micro
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole, Usage
from convo_gateway.catalog.documents import Named
from convo_gateway.catalog.freeze import freeze, lookup_in
from convo_gateway.catalog.starter import starter_objects
from convo_gateway.estimate import deviation, estimate
from convo_gateway.past_runs import History, PastRun, RoleHistory
from convo_gateway.shapes.estimate import NOTHING, Estimate, Range, RoleEstimate
from tests.gateway.catalog.samples import catalog, config, prices, roles

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def snapshot(wanted: RunConfig | None = None, objects: list[Named] | None = None) -> Snapshot:
    return freeze(wanted or config(), 1, lookup_in(objects or catalog())).snapshot


def estimated(wanted: RunConfig | None = None, history: History | None = None) -> Estimate:
    return estimate(snapshot(wanted), history or History(), NOON)


def role(found: Estimate, name: CallRole) -> RoleEstimate:
    return next(part for part in found.roles if part.role == name)


class TestDefaults:
    def test_calls_and_tokens_of_short_dialogues(self) -> None:
        found = estimated()
        user, assistant, judge = (role(found, name) for name in ("user", "assistant", "judge"))
        # Prompts of 400 and 800 characters are 100 and 200 tokens; a message is framed by 4.
        assert (user.calls, user.input_tokens, user.output_tokens) == (4, 4 * 104, 4 * 60)
        assert assistant.input_tokens == 4 * (200 + 4 + 60 + 4)
        assert assistant.output_tokens == 4 * 150
        # Nine in ten reach the judge: 100 tokens of prompt, the criterion, and the transcript.
        assert judge.output_tokens == round(3.6 * 65)
        assert judge.input_tokens == pytest.approx(3.6 * (100 + 17 / 4 + 60 + 150 + 8), abs=1)

    def test_the_prompt_grows_with_every_turn(self) -> None:
        found = estimated(config(length_mix=[{"turns": [6, 6], "share": 1}]))
        pair = 60 + 150 + 8
        assert role(found, "user").calls == 12
        assert role(found, "user").input_tokens == 4 * (3 * 104 + (0 + 1 + 2) * pair)
        assert role(found, "assistant").input_tokens == 4 * (3 * 204 + 3 * 64 + (0 + 1 + 2) * pair)

    def test_a_script_is_one_call(self) -> None:
        found = estimated(config(mode="scripted", length_mix=[{"turns": [5, 5], "share": 1}]))
        script = role(found, "script")
        assert (script.calls, script.output_tokens) == (4, 4 * 5 * 90)
        assert script.input_tokens == 4 * (300 + 4)
        assert {part.role for part in found.roles} == {"script", "judge"}

    def test_limits_bound_what_is_expected(self) -> None:
        wanted = {name: {**part, "max_tokens": 10} for name, part in roles().items()}  # type: ignore[dict-item]
        found = estimated(config(roles=wanted))
        assert role(found, "assistant").output_tokens == 40
        assert found.total is not None
        assert found.total.high == pytest.approx(found.total.expected, rel=0.15)

    def test_an_opening_segment_counts_for_the_first_call(self) -> None:
        segments = {"user": "u" * 400, "assistant": "a", "opening": "o" * 4000}
        prompts = PromptSet.model_validate(
            {"name": "prompts", "modes": ["dialogue"], "segments": segments}
        )
        found = estimate(snapshot(None, catalog(prompts=prompts)), History(), NOON)
        assert role(found, "user").input_tokens == 4 * 1004

    def test_memory_and_roughen_are_known_to_be_nothing(self) -> None:
        found = estimated()
        assert (found.memory, found.roughen) == (NOTHING, NOTHING)

    def test_the_split_adds_up(self) -> None:
        found = estimated()
        assert found.total is not None
        assert found.generation is not None
        assert found.judge is not None
        assert found.total == found.generation + found.judge
        assert found.total.low < found.total.expected < found.total.high

    def test_the_basis_names_what_was_assumed(self) -> None:
        basis = estimated().basis
        assert (basis.kind, basis.runs, basis.conversations) == ("default", 0, 0)
        assert "a message of the assistant has 150 tokens, 1000 at most" in basis.assumptions
        assert "80% of the conversations are accepted" in basis.assumptions

    def test_without_a_judge_there_is_no_judge(self) -> None:
        found = estimated(config(judge=None, roles=roles(judge=None)))
        assert found.judge == NOTHING
        assert found.accepted == 3.6

    def test_all_draws_of_the_plan_are_counted(self) -> None:
        wanted = config(
            target_count=37,
            length_mix=[{"turns": [2, 2], "share": 1}, {"turns": [4, 10], "share": 2}],
        )
        frozen = snapshot(wanted)
        turns = sum(
            draw(frozen, thread, number).turns
            for thread in range(frozen.lanes)
            for number in range(frozen.quota(thread))
        )
        found = estimate(frozen, History(), NOON)
        assert role(found, "user").calls + role(found, "assistant").calls == turns

    def test_a_large_run_is_sampled_the_same_way_every_time(self) -> None:
        mix = [{"turns": [2, 4], "share": 1}, {"turns": [6, 12], "share": 1}]
        large = config(target_count=1_000_000, length_mix=mix)
        found = estimate(snapshot(large), History(), NOON)
        assert found == estimate(snapshot(large), History(), NOON)
        assert role(found, "user").calls == pytest.approx(1_000_000 * (3 + 9) / 2 / 2, rel=0.03)
        small = estimate(snapshot(config(target_count=2_000, length_mix=mix)), History(), NOON)
        assert found.total is not None
        assert small.total is not None
        assert found.total.expected == pytest.approx(500 * small.total.expected, rel=0.05)


def test_c14_very_unequal_prices_stay_on_their_side() -> None:
    found = estimated()
    user = role(found, "user")
    used = Usage(input_tokens=user.input_tokens, output_tokens=user.output_tokens)
    assert user.cost is not None
    assert user.cost.expected == cost_micro(prices(1, 4), used, NOON)
    swapped = cost_micro(prices(4, 1), used, NOON)
    assert user.cost.expected != swapped


class TestC09Unpriced:
    def test_the_total_is_unknown_and_says_why(self) -> None:
        found = estimated(config(roles=roles(assistant="unpriced")))
        assert found.total is None
        assert found.generation is None
        assert found.per_accepted_micro is None
        assert found.unpriced == ("api/unpriced",)
        assert role(found, "assistant").cost is None

    def test_what_is_known_is_still_shown(self) -> None:
        found = estimated(config(roles=roles(assistant="unpriced")))
        assert found.judge is not None
        assert found.judge.expected > 0
        assert found.accepted == 3.2

    def test_a_threshold_on_an_unknown_total_asks(self) -> None:
        found = estimated(config(roles=roles(judge="unpriced"), confirm_above_usd=1000))
        assert not found.above_threshold
        assert found.needs_confirmation
        assert not estimated(config(roles=roles(judge="unpriced"))).needs_confirmation

    def test_free_is_zero_and_known(self) -> None:
        demo = next(o for o in starter_objects() if o.name == "local-demo")
        assert isinstance(demo, RunConfig)
        found = estimate(snapshot(demo, starter_objects()), History(), NOON)
        assert found.total == NOTHING
        assert found.unpriced == ()
        assert found.per_accepted_micro == 0


class TestThreshold:
    def test_only_strictly_above_asks(self) -> None:
        total = estimated().total
        assert total is not None
        for above, expected in ((0, False), (-1, True), (1, False)):
            usd = (total.expected + above) / 1_000_000
            found = estimated(config(confirm_above_usd=usd))
            assert found.threshold_micro == total.expected + above
            assert found.above_threshold is expected
            assert found.needs_confirmation is expected

    def test_a_threshold_of_zero_asks_for_any_cost(self) -> None:
        assert estimated(config(confirm_above_usd=0)).above_threshold

    def test_no_threshold_never_asks(self) -> None:
        found = estimated()
        assert found.threshold_micro is None
        assert not found.above_threshold


def priced(model: Model) -> list[Named]:
    return catalog(api=Backend(name="api", base_url="http://a", models=(model,)))


class TestPrices:
    ROLES = roles("m", "m", None)

    def cost(self, model: Model, at: datetime = NOON) -> int:
        wanted = config(roles=self.ROLES, judge=None, target_count=1)
        total = estimate(snapshot(wanted, priced(model)), History(), at).total
        assert total is not None
        return total.expected

    NIGHT = Model(
        name="m",
        prices=prices(1, 1).model_copy(
            update={
                "off_peak": (
                    OffPeak.model_validate(
                        {"start": "22:00", "end": "06:00", "rates": {"input": 0, "output": 1}}
                    ),
                )
            }
        ),
    )

    def test_off_peak_counts_at_the_start(self) -> None:
        assert self.cost(self.NIGHT) == 104 + 268 + 210
        assert self.cost(self.NIGHT, NOON.replace(hour=23)) == 210

    def test_a_long_run_is_priced_over_its_hours(self) -> None:
        wanted = config(roles=self.ROLES, judge=None, target_count=10)
        frozen = snapshot(wanted, priced(self.NIGHT))
        told = {
            "user": (used(10, 1000, 0, model="m"),),
            "assistant": (used(10, 1000, 0, model="m"),),
        }
        known = past(roles=told, seconds=24 * 3_600)
        found = estimate(frozen, runs(known), NOON)
        # Reading is free in 8 of 24 hours.
        assert found.seconds == 24 * 3_600
        assert found.total is not None
        assert found.total.expected == 2 * round(1000 * 16 / 24)
        assert any("takes about 24 h" in said for said in found.basis.assumptions)
        unknown = estimate(frozen, runs(past(roles=told)), NOON)
        assert unknown.total is not None
        assert unknown.total.expected == 2000
        assert any("at the start of the run" in said for said in unknown.basis.assumptions)

    def test_bands_count_by_the_size_of_each_prompt(self) -> None:
        band = Band(above_input_tokens=200, rates=prices(10, 0).rates)
        model = Model(name="m", prices=prices(1, 0).model_copy(update={"bands": (band,)}))
        assert self.cost(model) == 104 + 2680

    def test_each_request_may_cost(self) -> None:
        rates = prices(0, 0).rates.model_copy(update={"per_request": prices(0.25, 0).rates.input})
        model = Model(name="m", prices=prices(0, 0).model_copy(update={"rates": rates}))
        assert self.cost(model) == 500_000


def used(calls: int, read: int, written: int, cached: int = 0, model: str = "small") -> RoleHistory:
    return RoleHistory(calls, read, written, cached, backend="api", model=model)


def past(**changes: object) -> PastRun:
    """Ten conversations of two turns, of which seven were judged and five accepted."""
    fields: dict[str, object] = {
        "mode": "dialogue",
        "made": 10,
        "accepted": 5,
        "rejected": {1: 2, 2: 1, 3: 1},
        "failed": 1,
        "turns": 20,
        "roles": {
            "user": (used(11, 1100, 330),),
            "assistant": (used(10, 3000, 500),),
            "judge": (used(7, 4200, 140, 2100, "large"),),
        },
        "prompt_set": "prompts 1",
    }
    return PastRun(**(fields | changes))  # type: ignore[arg-type]


def runs(*known: PastRun) -> History:
    return History(known)


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


class TestC15SecondRun:
    """A stub model that answers by the plan's seed: the second estimate has to meet what the run then spends."""

    def spend(self, frozen: Snapshot) -> tuple[int, PastRun]:
        """What a run with the stub costs, and what is known of it afterwards."""
        told: dict[CallRole, list[Usage]] = {name: [] for name in frozen.call_roles()}
        turns = made = accepted = 0
        for thread in range(frozen.lanes):
            for number in range(frozen.quota(thread)):
                plan = draw(frozen, thread, number)
                said = 0
                for turn in range(1, plan.turns + 1):
                    speaker: CallRole = "user" if turn % 2 else "assistant"
                    answer = 20 + plan.call_seed(turn) % 200
                    told[speaker].append(Usage(input_tokens=150 + said, output_tokens=answer))
                    said += answer
                made, turns = made + 1, turns + plan.turns
                if plan.seed % 10:
                    told["judge"].append(Usage(input_tokens=90 + said, output_tokens=30))
                    accepted += plan.seed % 3 > 0
        spent = 0
        for name, usages in told.items():
            chosen = frozen.role(name)
            model = frozen.backend(chosen.backend).model_named(chosen.model)
            assert model is not None
            spent += sum(cost_micro(model.prices, usage, NOON) or 0 for usage in usages)
        sums = {
            name: (
                RoleHistory(
                    len(usages),
                    sum(u.input_tokens for u in usages),
                    sum(u.output_tokens for u in usages),
                    backend="api",
                    model=frozen.role(name).model,
                ),
            )
            for name, usages in told.items()
        }
        return spent, past(made=made, accepted=accepted, turns=turns, roles=sums)

    @given(st.integers(0, 1000), st.integers(20, 200))
    @settings(max_examples=5, deadline=None)
    def test_the_second_estimate_is_within_fifteen_percent(self, seed: int, target: int) -> None:
        mix = [{"turns": [2, 4], "share": 1}, {"turns": [6, 12], "share": 1}]
        first = snapshot(config(target_count=120, length_mix=mix))
        _, known = self.spend(first)
        second = snapshot(config(target_count=target, seed=seed, length_mix=mix))
        spent, _ = self.spend(second)
        found = estimate(second, runs(known), NOON)
        assert found.total is not None
        off = deviation(found.total.expected, spent)
        assert off is not None
        assert abs(off) < 0.15
        assert found.total.low <= spent <= found.total.high

    def test_the_deviation_is_a_share_of_what_was_spent(self) -> None:
        assert deviation(80, 100) == pytest.approx(-0.2)
        assert deviation(130, 100) == pytest.approx(0.3)
        assert deviation(None, 100) is None
        assert deviation(100, None) is None
        assert deviation(100, 0) is None


def test_the_starter_stays_far_under_its_own_cap() -> None:
    objects = starter_objects()
    for name in ("api-starter", "api-script"):
        wanted = next(o for o in objects if o.name == name)
        assert isinstance(wanted, RunConfig)
        found = estimate(snapshot(wanted, objects), History(), NOON)
        assert found.total is not None
        assert wanted.spend_cap_usd is not None
        assert 0 < found.total.expected < found.total.high < wanted.spend_cap_usd * 1_000_000 / 4
        assert not found.above_threshold
