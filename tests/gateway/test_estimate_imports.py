"""Run configs of mode ``import``: what they may have, and what a run over a file is expected to cost."""

import pytest
from pydantic import ValidationError

from convo_events.catalog import RunConfig
from convo_events.errors import Invalid
from convo_events.plan import IMPORTED, draw
from convo_events.snapshot import ImportSource, Snapshot
from convo_gateway.estimate import estimate
from convo_gateway.imports.wanted import rows_wanted
from convo_gateway.past_runs import History
from tests.gateway.catalog.samples import roles
from tests.gateway.estimating import NOON, past, runs, snapshot

JUDGE = {"criteria": [{"name": "good", "question": "Good?"}], "threshold": 3}
SOURCE = ImportSource(
    id="imp-1", name="old.jsonl", sha256="0" * 64, count=50, turns=200, characters=40_000
)


def cleaning(**changed: object) -> RunConfig:
    fields: dict[str, object] = {
        "name": "clean",
        "mode": "import",
        "target_count": 1_000,
        "prompt_set": "prompts",
        "roles": {"judge": roles()["judge"]},
        "judge": JUDGE,
    }
    return RunConfig.model_validate(fields | changed)


def over(source: ImportSource, **changed: object) -> Snapshot:
    frozen = snapshot(cleaning(target_count=source.count, **changed))
    return frozen.model_copy(update={"source": source})


def test_any_prompt_set_will_do_as_only_its_judge_is_used() -> None:
    assert "import" not in snapshot(cleaning()).prompt_set.modes
    assert snapshot(cleaning()).call_roles() == ("judge",)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"personas": [{"name": "ada"}]}, "personas"),
        ({"voices": [{"name": "plain"}]}, "voices"),
        ({"pools": ["topics"]}, "pools"),
        ({"length_mix": [{"turns": [2, 2], "share": 1}]}, "length_mix"),
        ({"roles": roles()}, "roles.assistant"),
        ({"memory": {}}, "memory"),
        ({"roughen": {}}, "roughen"),
        ({"judge": None}, "judge and roles.judge go together"),
    ],
)
def test_what_an_import_has_no_use_for_is_refused(changed: dict[str, object], named: str) -> None:
    with pytest.raises(ValidationError, match=named):
        cleaning(**changed)


def test_nothing_is_drawn_for_what_was_made_elsewhere() -> None:
    frozen = over(SOURCE, threads=7)
    drawn = [draw(frozen, t, n) for t in range(frozen.lanes) for n in range(frozen.quota(t))]
    assert sorted(one.index for one in drawn) == list(range(50))
    assert {(one.persona.name, one.voice.name, one.turns) for one in drawn} == {
        (IMPORTED, IMPORTED, 0)
    }
    assert len({one.seed for one in drawn}) == 50


def test_only_the_judge_costs_and_by_what_is_really_said() -> None:
    short = estimate(over(SOURCE), History(), NOON)
    longer = SOURCE.model_copy(update={"characters": 400_000})
    long = estimate(over(longer), runs(past(mode="import")), NOON)

    assert [role.role for role in short.roles] == ["judge"]
    assert short.generation is not None
    assert short.generation.high == 0
    assert short.total == short.judge
    # 40,000 and 400,000 characters over 50 conversations: 200 and 2,000 tokens of each.
    more = long.roles[0].input_per_call - short.roles[0].input_per_call
    assert more == pytest.approx(1_800, abs=1)
    assert "a conversation has 216 tokens, the mean of the file" in short.basis.assumptions


def test_a_run_without_a_judge_costs_nothing() -> None:
    free = estimate(over(SOURCE, judge=None, roles={}), History(), NOON)
    assert free.total is not None
    assert (free.total.low, free.total.high, free.roles) == (0, 0, ())


def test_a_run_takes_all_there_is_unless_it_is_told_otherwise() -> None:
    assert rows_wanted(SOURCE, cleaning(), None) == 50
    assert rows_wanted(SOURCE, cleaning(target_count=20), None) == 20
    assert rows_wanted(SOURCE, cleaning(target_count=20), 30) == 30
    with pytest.raises(Invalid, match="51 are more than the 50 conversations of old"):
        rows_wanted(SOURCE, cleaning(), 51)
