"""Prompts of an unsaved prompt set, rendered while they are typed. Pure: the same request gives the same text."""

import re
from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from convo_events.catalog import (
    SEGMENTS,
    Persona,
    PromptSet,
    Roughening,
    RunConfig,
    Voice,
)
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_gateway.catalog.explain import said_of
from convo_gateway.shapes.catalog_drafts import (
    DraftProblem,
    DraftPromptSet,
    DraftRender,
    RenderedSegment,
    RenderProblem,
)
from convo_models.prompts import TemplateProblem, check_templates, render

_CONFIG = RunConfig.model_validate(
    {
        "name": "draft",
        "mode": "scripted",
        "target_count": 1,
        "prompt_set": "draft",
        "personas": [{"name": "draft"}],
        "voices": [{"name": "draft"}],
        "length_mix": [{"turns": [2, 2], "share": 1}],
        "roles": {"assistant": {"backend": "draft", "model": "draft"}},
    }
)
_LINE = re.compile(r"line (\d+) of the segment: (.*)", re.DOTALL)


def draft_problems(draft: DraftPromptSet) -> list[DraftProblem]:
    """What the draft lacks to be written."""
    fields = draft.model_dump(exclude_defaults=True) | {"name": draft.name, "modes": draft.modes}
    try:
        PromptSet.model_validate(fields)
    except ValidationError as error:
        return [
            DraftProblem(message=message, pointer=f"/{field}" if field else "")
            for field, message in said_of(error)
        ]
    return []


def _prompt_set(draft: DraftPromptSet) -> PromptSet:
    """The draft as it is: what is not complete yet can be rendered, as each segment stands for itself."""
    return PromptSet.model_construct(
        **{field: getattr(draft, field) for field in PromptSet.model_fields}
    )


def _snapshot(wanted: DraftRender, drawn: Draw) -> Snapshot:
    """A snapshot around the draft; of its config, prompts look at the language and the roughening."""
    changes = {"language": wanted.language, "roughen": Roughening(strength=wanted.strength)}
    return Snapshot.model_construct(
        config=_CONFIG.model_copy(update=changes),
        config_version=1,
        prompt_set=_prompt_set(wanted.prompt_set),
        personas=(drawn.persona,),
        voices=(drawn.voice,),
        backends=(),
    )


def draw_of(wanted: DraftRender, persona: Persona, voice: Voice, pools: Mapping[str, str]) -> Draw:
    """What a plan could have drawn."""
    return Draw(
        index=0,
        persona=persona,
        voice=voice,
        pools=dict(pools),
        turns=wanted.turns,
        seed=wanted.seed % 2**31,
        visit=wanted.visit,
    )


def rendered(wanted: DraftRender, drawn: Draw) -> dict[str, RenderedSegment]:
    """Each segment with its text, or why there is none."""
    snapshot = _snapshot(wanted, drawn)
    sent = _sent(wanted)
    found = {}
    for segment in wanted.prompt_set.segments:
        try:
            text = render(snapshot, segment, drawn, wanted.turn, wanted.memory)
        except TemplateProblem as error:
            problem = RenderProblem(message=error.message, line=error.line)
            found[segment] = RenderedSegment(problem=problem, sent=segment in sent)
        else:
            found[segment] = RenderedSegment(text=text, sent=segment in sent)
    return found


def template_problems(wanted: DraftRender, pools: Sequence[str]) -> list[DraftProblem]:
    """Everything wrong with the templates, also where this rendering did not come along."""
    found = []
    for problem in check_templates(_prompt_set(wanted.prompt_set), pools):
        line, message = None, problem.message
        if match := _LINE.fullmatch(message):
            line, message = int(match[1]), match[2]
        found.append(DraftProblem(message=message, pointer=problem.pointer, line=line))
    return found


def _sent(wanted: DraftRender) -> set[str]:
    """The segments that a mode sends for a turn, with those that are sent when the turns are made."""
    segments = wanted.prompt_set.segments
    mode = wanted.mode or next(
        (known for known in SEGMENTS if known in wanted.prompt_set.modes), None
    )
    if mode == "scripted":
        making = "script"
    elif wanted.turn == 1 and "opening" in segments:
        making = "opening"
    else:
        making = "user" if wanted.turn % 2 else "assistant"
    later = {"judge", "roughen"} | ({"memory"} if mode == "sessions" else set())
    if mode == "import":
        return {"judge"} & set(segments)
    return {making} | (later & set(segments))
