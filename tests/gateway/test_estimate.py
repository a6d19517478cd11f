"""Estimates: exact on known calls, unknown where a price is, and close on the second run of a config."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import Backend, Model, PromptSet, RunConfig
from convo_events.plan import draw
from convo_events.prices import Band, OffPeak, cost_micro
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole, Usage
from convo_gateway.catalog.documents import Named
from convo_gateway.catalog.starter import starter_objects
from convo_gateway.estimate import deviation, estimate
from convo_gateway.past_runs import History, PastRun, RoleHistory
from convo_gateway.shapes.estimate import NOTHING
from tests.gateway.catalog.samples import catalog, config, prices, roles
from tests.gateway.estimating import NOON, estimated, past, role, runs, snapshot, used


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
