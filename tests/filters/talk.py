"""Conversations and snapshots for the tests of the filters, in as few words as possible."""

from convo_events.catalog import (
    Backend,
    FilterList,
    LengthShare,
    Model,
    Persona,
    PromptSet,
    RoleModel,
    Roles,
    RuleSetting,
    RunConfig,
    Voice,
    Weighted,
)
from convo_events.conversations import Conversation, Hit, Turn
from convo_events.snapshot import Snapshot
from convo_filters.layers import RuleSet

SEGMENTS = {
    "script": "You write a friendly exchange in which {{ persona.name }} asks how to plan a small kitchen garden, "
    "and the assistant answers with care and without any lists.",
}


def talk(*texts: str, finish: str = "stop", planned: int = 0, language: str = "en") -> Conversation:
    """Texts in turn, the user first."""
    turns = tuple(
        Turn(role="assistant" if at % 2 else "user", text=text) for at, text in enumerate(texts)
    )
    return Conversation(turns=turns, finish=finish, planned_turns=planned, language=language)


def answered(text: str, language: str = "en") -> Conversation:
    """One question, and ``text`` as the assistant's answer."""
    return talk("Could we talk about it?", text, language=language)


def asked(text: str, language: str = "en") -> Conversation:
    """``text`` as the user's question, and an answer."""
    return talk(text, "That depends on the weather.", language=language)


def snapshot(
    rules: dict[str, RuleSetting] | None = None,
    filter_lists: tuple[FilterList, ...] = (),
    prompt_set: PromptSet | None = None,
    accept_finish: tuple[str, ...] = ("stop",),
) -> Snapshot:
    """A frozen run of mode ``scripted``."""
    role = RoleModel.model_validate(
        {"backend": "b", "model": "m", "accept_finish": accept_finish},
    )
    config = RunConfig(
        name="c",
        mode="scripted",
        target_count=10,
        prompt_set="p",
        personas=(Weighted(name="ana"),),
        voices=(Weighted(name="plain"),),
        filter_lists=tuple(one.name for one in filter_lists),
        length_mix=(LengthShare(turns=(2, 6), share=1),),
        roles=Roles(assistant=role),
        rules=rules or {},
    )
    return Snapshot(
        config=config,
        config_version=1,
        prompt_set=prompt_set
        or PromptSet.model_validate(
            {"name": "p", "modes": ("scripted",), "segments": SEGMENTS},
        ),
        personas=(
            Persona(
                name="ana",
                summary="Ana is a retired teacher who has never grown a plant in all her life.",
            ),
        ),
        voices=(Voice(name="plain", style="Short sentences."),),
        filter_lists=filter_lists,
        backends=(Backend(name="b", base_url="http://localhost", models=(Model(name="m"),)),),
    )


def hits(conversation: Conversation, frozen: Snapshot | None = None) -> dict[str, Hit]:
    """Everything that layer 1 found, by reason."""
    return {hit.reason: hit for hit in RuleSet.of(frozen or snapshot()).check(conversation)}


def words_of(conversation: Conversation, hit: Hit) -> str:
    """The words that the hit's span names."""
    assert hit.turn is not None
    return conversation.turns[hit.turn].text[hit.start : hit.end]


def only(reason: str, **parameters: bool | int | float | str) -> Snapshot:
    """A snapshot in which one rule has these parameters."""
    return snapshot({reason: RuleSetting(parameters=dict(parameters))})
