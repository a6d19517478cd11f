"""Seed preview: what it counts is what the plan draws, whatever the config and the size; prompts as they are sent."""

import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from convo_events.catalog import Judging, Persona, Pool, PromptSet, RunConfig, Voice
from convo_events.plan import Draw, draw_at
from convo_events.snapshot import Snapshot
from convo_gateway.catalog.freeze import freeze, lookup_in
from convo_gateway.preview import (
    MOST_DRAWN,
    collisions,
    described,
    dimensions,
    length_counts,
    shares,
    window,
)
from convo_gateway.preview_prompts import preview_prompts
from tests.gateway.catalog.samples import catalog, config, roles

SEGMENTS = {
    "user": "You are {{ persona.name }}, turn {{ turn }}. {{ memory }}",
    "opening": "Begin about {{ topics }}, visit {{ visit }}.",
    "assistant": "Help.",
    "script": "Write {{ turns }} turns about {{ topics }}.",
    "roughen": "Make it {{ strength }}.",
    "memory": "What is worth keeping? Known: {{ memory }}",
}


def snapshot(topics: int = 3, **changes: object) -> Snapshot:
    """Four personas and two voices with decimal weights."""
    prompts = {
        "name": "prompts",
        "modes": ["dialogue", "sessions", "scripted"],
        "segments": SEGMENTS,
    }
    names = ("ada", "bo", "cy", "di")
    objects = catalog(
        prompts=PromptSet.model_validate(prompts),
        topics=Pool(name="topics", values=tuple(f"topic {at % 90_001}" for at in range(topics))),
        terse=Voice(name="terse", style="Terse."),
        **{name: Persona(name=name, summary=name) for name in names},
    )
    wanted = roles(judge="small")
    if changes.get("roughen"):
        wanted["roughen"] = wanted["user"]
    if changes.get("memory") is not None:
        wanted["memory"] = wanted["user"]
    fields: dict[str, object] = {
        "personas": [
            {"name": name, "weight": weight}
            for name, weight in zip(names, (0.1, 1, 2.5, 7), strict=True)
        ],
        "voices": [{"name": "plain", "weight": 0.3}, {"name": "terse", "weight": 0.7}],
        "roles": wanted,
    }
    frozen: RunConfig = config(**(fields | changes))
    return freeze(frozen, 1, lookup_in(objects)).snapshot


CONFIGS = st.fixed_dictionaries(
    {
        "target_count": st.integers(1, 250),
        "threads": st.integers(1, 60),
        "seed": st.integers(0, 2**53 - 1),
        "mode": st.sampled_from(["dialogue", "sessions", "scripted"]),
        "topics": st.integers(1, 40),
        "length_mix": st.lists(
            st.tuples(st.integers(2, 9), st.integers(0, 6), st.floats(0.01, 10)).map(
                lambda part: {"turns": [part[0], part[0] + part[1]], "share": part[2]}
            ),
            min_size=1,
            max_size=3,
        ),
        "roughen": st.none() | st.floats(0.01, 1).map(lambda share: {"share": share}),
    }
)


def values_of(plan: Draw, frozen: Snapshot) -> dict[str, str]:
    mix = {"-".join(map(str, dict.fromkeys(p.turns))) for p in frozen.config.length_mix}
    return {
        "persona": plan.persona.name,
        "voice": plan.voice.name,
        "pool:topics": plan.pools["topics"],
        "roughen": "yes" if plan.roughen else "no",
        **({"length": next(iter(mix))} if len(mix) == 1 else {}),
    }


@given(CONFIGS)
@settings(max_examples=40, deadline=None)
def test_every_count_is_what_drawing_all_of_them_gives(fields: dict[str, object]) -> None:
    frozen = snapshot(**fields)  # type: ignore[arg-type]
    size = frozen.config.target_count
    drawn = [draw_at(frozen, index) for index in range(size)]
    brute = Counter(
        (dimension, value) for plan in drawn for dimension, value in values_of(plan, frozen).items()
    )
    found = dimensions(frozen)
    for share in shares(found, size):
        if share.dimension == "length" and len(frozen.config.length_mix) > 1:
            continue
        assert share.count == brute[share.dimension, share.value], share
        assert share.share == pytest.approx(share.count / size)
    for dimension in found:
        assert dimension.exact
        assert sum(dimension.counts) == size
    counted = {length.turns: length.count for length in length_counts(frozen)}
    assert counted == Counter(plan.turns for plan in drawn)
    assert [one.index for one in window(frozen, 0, 100)] == list(range(min(size, 100)))


@given(CONFIGS, st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_no_share_is_more_than_one_conversation_off_the_mix(
    fields: dict[str, object], more: int
) -> None:
    size = 1 + more % 10_000_000
    frozen = snapshot(**(fields | {"target_count": size, "mode": "dialogue"}))  # type: ignore[arg-type]
    for share in shares(dimensions(frozen), size):
        slack = 1 + 1e-6 if not share.dimension.startswith("pool:") else share.weight + 1e-6
        assert abs(share.count - size * share.share_wanted) <= slack, share


def test_mix_entries_are_counted_exactly_and_lengths_are_labelled() -> None:
    mix = [{"turns": [2, 2], "share": 0.25}, {"turns": [4, 8], "share": 0.75}]
    frozen = snapshot(target_count=1_000_000, length_mix=mix)
    entries = [s for s in shares(dimensions(frozen), 1_000_000) if s.dimension == "length"]
    assert [(entry.value, entry.count) for entry in entries] == [("2", 250_000), ("4-8", 750_000)]
    lengths = length_counts(frozen)
    assert [(n.turns, n.count, n.exact) for n in lengths] == [
        (2, 250_000, True),
        (4, 250_000, False),
        (6, 250_000, False),
        (8, 250_000, False),
    ]
    small = snapshot(target_count=MOST_DRAWN, length_mix=mix)
    assert all(length.exact for length in length_counts(small))


def test_a_window_of_a_million_draws_no_more_than_any_and_takes_no_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draws = Counter[int]()

    def counted(frozen: Snapshot, index: int) -> Draw:
        draws[index] += 1
        return draw_at(frozen, index)

    monkeypatch.setattr("convo_gateway.preview.draw_at", counted)
    frozen = snapshot(
        topics=100_000,
        target_count=1_000_000,
        length_mix=[{"turns": [2, 4], "share": 1}, {"turns": [6, 12], "share": 3}],
        roughen={"share": 0.3},
    )
    tracemalloc.start()
    shown, found = window(frozen, 999_900, 100), dimensions(frozen)
    listed, lengths = shares(found, 1_000_000), length_counts(frozen)
    drawn = collisions(frozen, found, shown)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(draws.values()) == 100
    assert peak < 60_000_000
    assert [one.index for one in shown] == list(range(999_900, 1_000_000))
    assert sum(share.count for share in listed if share.dimension == "persona") == 1_000_000
    assert sum(length.count for length in lengths) == pytest.approx(1_000_000)
    topics = next(described(d) for d in found if d.name == "pool:topics")
    assert (topics.values, topics.listed, topics.exact) == (90_001, 200, True)
    assert drawn.distinct == 4 * 2 * 90_001
    assert drawn.expected >= 1_000_000 - drawn.distinct


class TestCollisions:
    def repeats(self, frozen: Snapshot) -> int:
        drawn = [draw_at(frozen, index) for index in range(frozen.config.target_count)]
        keys = Counter((p.persona.name, p.voice.name, p.pools["topics"]) for p in drawn)
        return sum(count - 1 for count in keys.values())

    def expected(self, frozen: Snapshot) -> float:
        return collisions(frozen, dimensions(frozen), []).expected

    def test_what_is_expected_is_what_seeds_give_on_average(self) -> None:
        for topics, target in ((40, 200), (10, 200), (400, 300)):
            plans = [snapshot(topics=topics, target_count=target, seed=seed) for seed in range(8)]
            mean = sum(map(self.repeats, plans)) / len(plans)
            assert self.expected(plans[0]) == pytest.approx(mean, rel=0.2, abs=3), topics

    def test_one_dimension_is_exact(self) -> None:
        alone = {"personas": [{"name": "ada"}], "voices": [{"name": "plain"}]}
        for topics in (7, 50, 60):
            frozen = snapshot(topics=topics, target_count=50, **alone)
            assert self.expected(frozen) == self.repeats(frozen)

    def test_nothing_varies(self) -> None:
        alone = {"personas": [{"name": "ada"}], "voices": [{"name": "plain"}], "topics": 1}
        frozen = snapshot(target_count=5, **alone)  # type: ignore[arg-type]
        shown = window(frozen, 0, 3)
        found = collisions(frozen, dimensions(frozen), shown)
        assert (found.distinct, found.expected, found.in_window) == (1, 4, [[0, 1, 2]])


def test_many_threads_of_unequal_length_are_counted_by_their_share() -> None:
    frozen = snapshot(target_count=1_000_000, threads=300_007, mode="sessions")
    found = {d.name: d for d in dimensions(frozen)}
    assert not found["persona"].exact
    assert sum(found["persona"].counts) == pytest.approx(1_000_000)
    assert found["pool:topics"].exact


MEMORY = {"max_characters": 900}


class TestPrompts:
    def test_every_prompt_of_a_visit_with_what_only_a_run_knows_in_brackets(self) -> None:
        frozen = snapshot(
            mode="sessions",
            threads=2,
            target_count=6,
            memory=MEMORY,
            roughen={"share": 1, "strength": "strong"},
            length_mix=[{"turns": [4, 4], "share": 1}],
        )
        found = preview_prompts(frozen, 2)
        assert (found.conversation.visit, found.problems) == (2, [])
        # Two sides twice, roughening, the judge, and the memory for the third visit.
        assert found.calls == 7
        sent = [(p.role, p.segment, p.turns) for p in found.prompts]
        assert sent == [
            ("user", "opening", [0]),
            ("assistant", "assistant", [1, 3]),
            ("user", "user", [2]),
            ("roughen", "roughen", []),
            ("judge", "judge", []),
            ("memory", "memory", []),
        ]
        texts = {p.segment: p.text or "" for p in found.prompts}
        assert texts["opening"].endswith("visit 2.")
        assert (
            "⟨what is remembered of 1 earlier conversation, at most 900 characters⟩"
            in texts["user"]
        )
        assert texts["roughen"] == "Make it strong."
        judge = next(p for p in found.prompts if p.role == "judge")
        assert (judge.text, judge.tokens) == (None, None)
        assert "own instruction" in judge.beside
        assert all(p.beside_tokens > 0 for p in found.prompts)

    def test_the_first_remembers_nothing_and_the_last_leaves_nothing(self) -> None:
        frozen = snapshot(mode="sessions", threads=2, target_count=6, memory=MEMORY)
        first, last = preview_prompts(frozen, 0), preview_prompts(frozen, 5)
        assert not any("⟨" in (p.text or "") for p in first.prompts)
        assert "memory" in {p.role for p in first.prompts}
        assert "memory" not in {p.role for p in last.prompts}

    def test_a_script_is_one_prompt(self) -> None:
        found = preview_prompts(snapshot(mode="scripted", topics=1), 0)
        assert [p.role for p in found.prompts] == ["script", "judge"]
        assert found.prompts[0].text == "Write 2 turns about topic 0."

    def test_every_sample_judge_and_comparison_is_a_call(self) -> None:
        frozen = snapshot()
        judging, judge = frozen.config.judge, frozen.config.roles.judge
        assert judging is not None
        assert judge is not None
        asked = judging.model_dump(mode="json") | {
            "samples": 3,
            "panel": [judge.model_dump(mode="json")],
            "recheck_share": 1,
            "comparison": {"example": "greeting", "question": "Which one helps?"},
        }
        config = frozen.config.model_copy(update={"judge": Judging.model_validate(asked)})
        found = preview_prompts(frozen.model_copy(update={"config": config}), 0)
        plain = preview_prompts(frozen, 0)
        scores, compared = (p for p in found.prompts if p.role == "judge")
        assert (scores.calls, scores.compared_with) == (3 * 2 + 1, "")
        assert (compared.calls, compared.compared_with, compared.text) == (2, "greeting", None)
        assert "“Which one helps?”" in compared.beside
        assert found.calls == plain.calls - 1 + 9
        assert sum(p.calls for p in found.prompts) == found.calls

    def test_what_does_not_render_is_said_with_its_line(self) -> None:
        frozen = snapshot()
        segments = {**SEGMENTS, "assistant": "Fine.\n{{ 1 // (turn - 2) }}"}
        broken = frozen.prompt_set.model_copy(update={"segments": segments})
        found = preview_prompts(frozen.model_copy(update={"prompt_set": broken}), 0)
        (problem,) = found.problems
        assert (problem.segment, problem.line) == ("assistant", 2)
        assert next(p for p in found.prompts if p.role == "assistant").text is None

    def test_a_conversation_behind_the_end_has_none(self) -> None:
        with pytest.raises(IndexError):
            preview_prompts(snapshot(target_count=4), 4)
