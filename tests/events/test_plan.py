"""The plan: every draw is a function of the frozen inputs, and over a run the shares come out as asked."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import Backend, Model, Persona, Pool, PromptSet, RunConfig, Voice
from convo_events.plan import (
    Draw,
    cell_sizes,
    draw,
    draw_at,
    lengths,
    permute,
    share_sizes,
    stratum_sizes,
)
from convo_events.snapshot import Snapshot

GOLDEN = Path(__file__).parent / "golden" / "plan"


def snapshot(
    target: int = 12,
    *,
    threads: int = 5,
    seed: int = 7,
    personas: list[float] | None = None,
    mix: list[tuple[tuple[int, int], float]] | None = None,
    pool: int = 3,
    mode: str = "dialogue",
    roughen: float | None = None,
) -> Snapshot:
    weights = personas or [1, 2, 5]
    names = [f"persona-{at}" for at in range(len(weights))]
    config = RunConfig.model_validate(
        {
            "name": "plan",
            "mode": mode,
            "target_count": target,
            "threads": threads,
            "seed": seed,
            "prompt_set": "prompts",
            "personas": [{"name": n, "weight": w} for n, w in zip(names, weights, strict=True)],
            "voices": [{"name": "plain"}, {"name": "terse"}],
            "pools": ["topics"],
            "length_mix": [
                {"turns": turns, "share": share}
                for turns, share in mix or [((2, 2), 1), ((4, 8), 3)]
            ],
            "roles": {
                role: {"backend": "b", "model": "m"}
                for role in ("user", "assistant", *(["roughen"] if roughen else []))
            },
            "roughen": {"share": roughen} if roughen else None,
        }
    )
    return Snapshot(
        config=config,
        config_version=1,
        prompt_set=PromptSet(
            name="prompts",
            modes=("dialogue", "scripted", "sessions"),
            segments={"user": "u", "assistant": "a", "script": "s"},
        ),
        personas=tuple(Persona(name=name, summary=name) for name in names),
        voices=(Voice(name="plain", style="plain"), Voice(name="terse", style="terse")),
        pools=(Pool(name="topics", values=tuple(f"topic {at}" for at in range(pool))),),
        backends=(Backend(name="b", base_url="http://b", models=(Model(name="m"),)),),
    )


def everything(frozen: Snapshot) -> list[Draw]:
    return [
        draw(frozen, thread, conversation)
        for thread in range(frozen.lanes)
        for conversation in range(frozen.quota(thread))
    ]


@given(st.integers(1, 400), st.integers(0, 2**53 - 1), st.text(max_size=20))
@settings(max_examples=50, deadline=None)
def test_permute_is_a_bijection(size: int, seed: int, dimension: str) -> None:
    assert sorted(permute(at, size, seed, dimension) for at in range(size)) == list(range(size))


def test_dimensions_and_seeds_have_orders_of_their_own() -> None:
    orders = {
        tuple(permute(at, 40, seed, dimension) for at in range(40))
        for seed in (1, 2, 3)
        for dimension in ("persona", "voice", "length")
    }
    assert len(orders) == 9


weights = st.lists(
    st.floats(1e-9, 1e6, allow_nan=False).filter(lambda weight: weight > 0), min_size=1, max_size=6
)


@given(st.integers(1, 300), weights, st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_shares_are_met_within_one_at_any_count(
    target: int, wanted: list[float], seed: int
) -> None:
    ranges = [((2 + 2 * at, 2 + 2 * at), share) for at, share in enumerate(wanted)]
    plans = everything(snapshot(target, personas=wanted, mix=ranges, pool=7, seed=seed))
    personas = Counter(plan.persona.name for plan in plans)
    lengths = Counter(plan.turns for plan in plans)
    topics = Counter(plan.pools["topics"] for plan in plans)
    for at, weight in enumerate(wanted):
        share = target * weight / sum(wanted)
        assert abs(personas[f"persona-{at}"] - share) <= 1 + 1e-9
        assert abs(lengths[2 + 2 * at] - share) <= 1 + 1e-9
    for at in range(7):
        assert abs(topics[f"topic {at}"] - target / 7) <= 1


def test_tiny_weights_count_in_proportion() -> None:
    plans = everything(snapshot(40, personas=[1e-9, 3e-9]))
    assert Counter(plan.persona.name for plan in plans) == {"persona-0": 10, "persona-1": 30}


@given(st.integers(1, 300), st.integers(1, 400))
@settings(max_examples=50, deadline=None)
def test_lanes_and_quotas_add_up(target: int, threads: int) -> None:
    frozen = snapshot(target, threads=threads)
    quotas = [frozen.quota(thread) for thread in range(frozen.lanes)]
    assert frozen.lanes <= threads
    assert sum(quotas) == target
    assert max(quotas) - min(quotas) <= 1
    assert min(quotas) >= 1


@given(st.integers(1, 200), st.integers(1, 50))
@settings(max_examples=30, deadline=None)
def test_every_conversation_is_drawn_once_whatever_the_threads(target: int, threads: int) -> None:
    plans = sorted(everything(snapshot(target, threads=threads)), key=lambda plan: plan.index)
    alone = everything(snapshot(target, threads=1))
    assert plans == alone


@pytest.mark.parametrize(("thread", "conversation"), [(-1, 0), (5, 0), (0, 3), (2, 2), (0, -1)])
def test_what_is_not_in_the_run_has_no_plan(thread: int, conversation: int) -> None:
    with pytest.raises(IndexError, match="has no conversation"):
        draw(snapshot(12, threads=5), thread, conversation)


@given(st.integers(1, 30), st.integers(0, 10))
@settings(max_examples=50, deadline=None)
def test_a_dialogue_ends_with_the_assistant(low: int, more: int) -> None:
    for plan in everything(snapshot(20, mix=[((low, low + more), 1)])):
        assert plan.turns % 2 == 0
        assert low <= plan.turns <= low + more or (more == 0 and plan.turns == low + 1)


@given(st.integers(1, 30), st.integers(0, 10), st.booleans())
def test_lengths_are_those_that_the_plan_draws(low: int, more: int, in_pairs: bool) -> None:
    mode = "dialogue" if in_pairs else "scripted"
    frozen = snapshot(60, mode=mode, mix=[((low, low + more), 1)])
    offered = lengths(frozen.config.length_mix[0], in_pairs=in_pairs)
    assert {plan.turns for plan in everything(frozen)} == set(offered)


def test_a_script_has_any_length_of_its_range() -> None:
    plans = everything(snapshot(100, mode="scripted", mix=[((3, 6), 1)]))
    assert Counter(plan.turns for plan in plans) == {3: 25, 4: 25, 5: 25, 6: 25}


def test_calls_have_seeds_of_their_own_that_providers_take() -> None:
    plans = everything(snapshot(50))
    seeds = {plan.call_seed(step) for plan in plans for step in range(1, 21)}
    assert len(seeds) == 50 * 20
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_a_large_pool_costs_no_more_than_a_small_one() -> None:
    frozen = snapshot(10, pool=100_000)
    assert len({plan.pools["topics"] for plan in everything(frozen)}) == 10


@given(st.integers(1, 300), weights, st.floats(0.001, 1), st.integers(1, 400))
@settings(max_examples=50, deadline=None)
def test_strata_are_counted_without_drawing_and_fill_the_plan(
    target: int, wanted: list[float], share: float, cells: int
) -> None:
    sizes = stratum_sizes(target, wanted)
    assert sum(sizes) == sum(cell_sizes(target, cells)) == target
    assert max(cell_sizes(target, cells)) - min(cell_sizes(target, cells)) <= 1
    assert abs(share_sizes(target, share) - target * share) <= 1
    plans = everything(snapshot(target, personas=wanted, pool=cells, roughen=share))
    personas = Counter(plan.persona.name for plan in plans)
    topics = Counter(plan.pools["topics"] for plan in plans)
    assert sizes == tuple(personas[f"persona-{at}"] for at in range(len(wanted)))
    assert cell_sizes(target, cells) == tuple(topics[f"topic {at}"] for at in range(cells))
    assert share_sizes(target, share) == sum(plan.roughen for plan in plans)


@given(st.integers(1, 200), st.integers(1, 30))
@settings(max_examples=30, deadline=None)
def test_in_sessions_a_thread_is_one_person_who_comes_back(target: int, threads: int) -> None:
    frozen = snapshot(target, threads=threads, mode="sessions")
    for thread in range(frozen.lanes):
        visits = [draw(frozen, thread, number) for number in range(frozen.quota(thread))]
        assert len({(plan.persona.name, plan.voice.name) for plan in visits}) == 1
        assert [plan.visit for plan in visits] == list(range(1, len(visits) + 1))


def test_a_conversation_is_drawn_by_its_number_alone() -> None:
    frozen = snapshot(30, threads=7, mode="sessions", roughen=0.3)
    plans = sorted(everything(frozen), key=lambda plan: plan.index)
    assert plans == [draw_at(frozen, index) for index in range(30)]
    with pytest.raises(IndexError):
        draw_at(frozen, 30)


def golden(plan: Draw) -> dict[str, object]:
    return {
        "index": plan.index,
        "persona": plan.persona.name,
        "voice": plan.voice.name,
        "pools": plan.pools,
        "turns": plan.turns,
        "seed": plan.seed,
        "call_seed": plan.call_seed(1),
    }


def test_the_plan_of_old_runs_stays_what_it_was() -> None:
    """A change here changes the plan of every run that is under way; the files are only ever added to."""
    plans = everything(snapshot(24, threads=4, seed=20_260_101))
    assert [golden(plan) for plan in plans] == json.loads((GOLDEN / "plan.json").read_text())


LARGE = (0, 1, 99_999, 123_456, 500_000, 999_998, 999_999)
KINDS: dict[str, list[Draw]] = {
    "sessions, roughened": everything(
        snapshot(24, threads=5, seed=2, mode="sessions", roughen=0.25)
    ),
    "weights with decimals": everything(
        snapshot(16, personas=[0.1, 0.2, 3.7], mix=[((2, 4), 0.35), ((6, 6), 1.15)], roughen=0.5)
    ),
    "scripted": everything(snapshot(10, mode="scripted", mix=[((3, 7), 1)], seed=2**53 - 1)),
    "a million": [
        draw_at(snapshot(1_000_000, threads=1_000, pool=1_000, roughen=0.125, seed=9), index)
        for index in LARGE
    ],
    "a million in sessions": [
        draw_at(snapshot(1_000_000, threads=300_000, mode="sessions", seed=9), index)
        for index in LARGE
    ],
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_plan_stays_what_it_was(name: str) -> None:
    drawn = [golden(plan) | {"visit": plan.visit, "roughen": plan.roughen} for plan in KINDS[name]]
    assert drawn == json.loads((GOLDEN / "kinds.json").read_text())[name]
