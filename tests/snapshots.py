"""Small snapshots and draws for tests of what models are sent."""

from typing import Literal

from convo_events.catalog import (
    Backend,
    Example,
    JudgedCriterion,
    Judging,
    LengthShare,
    Memory,
    Mode,
    Model,
    Persona,
    PromptSet,
    RoleModel,
    Roles,
    Roughening,
    RunConfig,
    Voice,
    Weighted,
)
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot

JUDGING = Judging(
    criteria=(
        JudgedCriterion(name="natural", question="Does it sound like people?", weight=3),
        JudgedCriterion(name="helpful", question="Is the user helped?", weight=1),
    ),
    scale=(1, 5),
    threshold=3,
)


def prompt_set(**segments: str) -> PromptSet:
    """A prompt set for all modes, with some segments of one's own."""
    texts = {"user": "You are the user.", "assistant": "You assist.", "script": "Write it."}
    return PromptSet.model_validate(
        {
            "name": "small",
            "modes": ("scripted", "dialogue", "sessions"),
            "segments": {**texts, **segments},
            "examples": (Example(name="greeting", turns=("Hi there", "Hello")),),
        }
    )


def drawn(
    *,
    summary: str = "A nurse.",
    style: str = "Short.",
    pools: dict[str, str] | None = None,
    turns: int = 4,
    visit: int = 1,
) -> Draw:
    """What a plan could say."""
    persona = Persona(name="ana", summary=summary, traits=("works nights", "likes tea"))
    return Draw(0, persona, Voice(name="plain", style=style), pools or {}, turns, 7, visit)


def snapshot(
    prompts: PromptSet | None = None,
    *,
    mode: Mode = "dialogue",
    structured: Literal["json_schema", "json_object", "none"] = "json_schema",
    judging: Judging | None = JUDGING,
    memory: Memory | None = None,
    roughen: Roughening | None = None,
    language: str = "en",
) -> Snapshot:
    """A snapshot whose roles all use one backend."""
    model = RoleModel(backend="here", model="m")
    config = RunConfig(
        name="small",
        mode=mode,
        language=language,
        target_count=3,
        prompt_set="small",
        personas=(Weighted(name="ana"),),
        voices=(Weighted(name="plain"),),
        length_mix=(LengthShare(turns=(4, 4), share=1),),
        roles=Roles(
            assistant=model,
            user=model,
            judge=model if judging else None,
            memory=model if memory else None,
            roughen=model if roughen else None,
        ),
        judge=judging,
        memory=memory,
        roughen=roughen,
    )
    draw = drawn()
    backend = Backend(
        name="here",
        base_url="http://127.0.0.1:1/v1",
        models=(Model(name="m"),),
        structured=structured,
    )
    return Snapshot(
        config=config,
        config_version=1,
        prompt_set=prompts or prompt_set(),
        personas=(draw.persona,),
        voices=(draw.voice,),
        backends=(backend,),
    )
