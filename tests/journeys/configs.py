"""Snapshots for whole-pipeline tests: two sides and a judge on the fake provider."""

from decimal import Decimal

from convo_events.catalog import (
    Backend,
    Diversity,
    Example,
    JudgedCriterion,
    Judging,
    LengthShare,
    Memory,
    Mode,
    Model,
    Persona,
    Pool,
    PromptSet,
    RoleModel,
    Roles,
    Roughening,
    RunConfig,
    Voice,
    Weighted,
)
from convo_events.prices import Prices, Rates
from convo_events.snapshot import Snapshot

PRICES = Prices(
    rates=Rates(input=Decimal("2"), output=Decimal("8"), cached_input=Decimal("0.5")), source="test"
)


JUDGED: dict[str, object] = {
    "criteria": (JudgedCriterion(name="natural", question="Is it natural?"),),
    "threshold": 2.5,
}
EVERY_OPTION: dict[str, object] = {
    "samples": 2,
    "reducer": "median",
    "panel": [{"backend": "fake", "model": "writer", "max_tokens": 200}],
    "comparison": {"example": "greeting", "worse": "reject"},
    "recheck_share": 0.5,
    "cache": True,
}
"""Of layer 3."""
GREETING = Example(name="greeting", turns=("Good morning", "Good morning to you"))


def snapshot(
    target: int,
    *,
    threads: int = 64,
    mode: Mode = "dialogue",
    turns: int = 2,
    concurrency: int = 64,
    judge: bool = True,
    timeout_s: float = 60,
    retries: int = 3,
    near_duplicate: float | None = 0.7,
    prices: Prices | None = PRICES,
    stream: bool = False,
    key: bool = True,
    memory: Memory | None = None,
    roughen: Roughening | None = None,
    judging: dict[str, object] | None = None,
) -> Snapshot:
    """Everything a run of the fake provider needs."""
    models = tuple(
        Model(name=name, prices=prices, max_concurrency=concurrency) for name in ("writer", "judge")
    )
    backend = Backend(
        name="fake",
        base_url="${FAKE_URL}",
        key_env="FAKE_KEY" if key else None,
        models=models,
        timeout_s=timeout_s,
        stream=stream,
    )
    config = RunConfig(
        name="fake-config",
        mode=mode,
        target_count=target,
        seed=11,
        threads=threads,
        prompt_set="plain",
        personas=(Weighted(name="ana"), Weighted(name="bo")),
        voices=(Weighted(name="short"),),
        pools=("topics",),
        length_mix=(LengthShare(turns=(turns, turns), share=1),),
        roles=Roles(
            user=RoleModel(backend="fake", model="writer", max_tokens=200),
            assistant=RoleModel(backend="fake", model="writer", max_tokens=200),
            judge=RoleModel(backend="fake", model="judge", max_tokens=200) if judge else None,
            memory=RoleModel(backend="fake", model="writer", max_tokens=200) if memory else None,
            roughen=RoleModel(backend="fake", model="writer", max_tokens=400) if roughen else None,
        ),
        memory=memory,
        roughen=roughen,
        diversity=Diversity(near_duplicate=near_duplicate, example_copy=None),
        judge=Judging.model_validate({**JUDGED, **(judging or {})}) if judge else None,
        retries=retries,
    )
    return Snapshot(
        config=config,
        config_version=1,
        prompt_set=PromptSet(
            name="plain",
            modes=("dialogue", "scripted", "sessions"),
            segments={
                "user": "You are {{ persona.summary }} You write: {{ voice.style }} Ask about {{ topics }}."
                "{% if memory %} You remember: {{ memory }}{% endif %}",
                "assistant": "You are a helpful assistant.",
                "memory": "Remember for {{ persona.summary }} Before: {{ memory }}",
                "roughen": "Type it like a hurried person ({{ strength }}).",
                "script": "Write {{ turns }} turns about {{ topics }} with {{ persona.summary }}",
            },
            examples=(GREETING,) if judging and "comparison" in judging else (),
        ),
        personas=(
            Persona(name="ana", summary="a nurse from Porto who works nights."),
            Persona(name="bo", summary="a carpenter who restores boats."),
        ),
        voices=(Voice(name="short", style="short and plain."),),
        pools=(Pool(name="topics", values=tuple(f"subject number {n}" for n in range(500))),),
        backends=(backend,),
    )
