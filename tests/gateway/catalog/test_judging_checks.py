"""What a check says of the judges of a config."""

import pytest

from convo_events.catalog import Example, PromptSet
from convo_gateway.catalog.checks.check import Checked, check_body
from convo_gateway.catalog.checks.sources import sources_in
from convo_gateway.catalog.documents import read, write
from tests.gateway.catalog.samples import catalog, config

OBJECTS = [
    one.model_copy(update={"examples": (Example(name="greeting", turns=("Hi", "Hello")),)})
    if isinstance(one, PromptSet)
    else one
    for one in catalog()
]


def checked(**judge: object) -> Checked:
    body = config().model_dump(mode="json")
    body["judge"] |= judge
    return check_body(body, sources_in(OBJECTS))


def seat(**changes: object) -> dict[str, object]:
    return {"backend": "api", "model": "unpriced", "max_tokens": 400, **changes}


def test_J12_nobody_judges_by_default_and_who_judges_itself_is_named_wherever_it_sits() -> None:
    body = config().model_dump(mode="json")
    body["roles"]["judge"] = None
    (missing,) = check_body(body, sources_in(OBJECTS)).errors
    assert (missing.pointer, missing.severity) == ("/roles/judge", "error")
    found = checked(panel=[seat(), seat(model="small")])
    assert [one.pointer for one in found.warnings if "kind to itself" in one.message] == [
        "/judge/panel/1/model"
    ]


@pytest.mark.parametrize(
    ("judge", "pointer", "said"),
    [
        ({"panel": [seat(backend="apy")]}, "/judge/panel/0/backend", 'did you mean "api"'),
        ({"panel": [seat(model="tiny")]}, "/judge/panel/0/model", 'has no model "tiny"'),
        (
            {"comparison": {"example": "gretting"}},
            "/judge/comparison/example",
            'did you mean "greeting"',
        ),
        ({"panel": [seat()] * 5}, "/judge/panel", "5"),
        ({"samples": 10}, "/judge/samples", "9"),
        ({"samples": 0}, "/judge/samples", "1"),
        ({"reducer": "mode"}, "/judge/reducer", "mean"),
        ({"recheck_share": 1.5}, "/judge/recheck_share", "1"),
    ],
)
def test_what_cannot_be_is_an_error_at_its_place(
    judge: dict[str, object], pointer: str, said: str
) -> None:
    errors = checked(**judge).errors
    assert [one.pointer for one in errors] == [pointer]
    assert said in errors[0].message


@pytest.mark.parametrize(
    ("judge", "pointer"),
    [
        ({"reducer": "median"}, "/judge/reducer"),
        (
            {"samples": 2, "panel": [seat(temperature=0, send_seed=False)]},
            "/judge/panel/0/temperature",
        ),
        ({"panel": [seat(max_tokens=20)]}, "/judge/panel/0/max_tokens"),
    ],
)
def test_what_is_probably_not_meant_is_a_warning(judge: dict[str, object], pointer: str) -> None:
    found = checked(**judge)
    assert found.errors == ()
    assert pointer in [one.pointer for one in found.warnings]


def test_the_backends_of_a_panel_are_frozen() -> None:
    found = checked(panel=[seat()], comparison={"example": "greeting"})
    assert found.snapshot is not None
    assert [model.model for model in found.snapshot.judges()] == ["large", "unpriced"]
    assert found.snapshot.backend("api").model_named("unpriced") is not None


def test_every_option_comes_back_from_yaml_and_none_is_written_where_none_is_set() -> None:
    panel, compared = [seat()], {"example": "greeting", "worse": "reject"}
    options = {"samples": 3, "reducer": "majority", "recheck_share": 0.1, "cache": True}
    every = checked(panel=panel, comparison=compared, **options).config
    assert read(write(every).encode()) == [every]
    text = write(config())
    assert not any(word in text for word in ("samples", "panel", "comparison", "recheck", "cache"))
