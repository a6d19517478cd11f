"""What the plan of a run config holds, before anything is made."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from convo_events.catalog import Mode, Name
from convo_events.errors import Problem
from convo_gateway.shapes.counts import Shape

_COUNT = Annotated[int, Field(ge=1, le=10_000_000)]
_SEED = Annotated[int, Field(ge=0, lt=2**53)]
_INDEX = Annotated[int, Field(ge=0, lt=10_000_000)]


class Previewed(Shape):
    """The plan to look at."""

    model_config = ConfigDict(extra="forbid", strict=True)

    config: Name | dict[str, JsonValue]
    """Name of a saved run config, or the body of one that need not be saved."""
    version: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    """Version of a saved config; None for the latest."""
    target_count: _COUNT | None = None
    """Instead of the config's."""
    seed: _SEED | None = None
    """Instead of the config's."""


class PreviewWanted(Previewed):
    """A window of a plan."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"config": "support-quick", "offset": 0, "limit": 20}]}
    )

    offset: _INDEX = 0
    """First conversation of the window."""
    limit: Annotated[int, Field(ge=1, le=100)] = 20
    """Most conversations in the window."""
    index: _INDEX | None = None
    """This conversation alone, instead of a window."""


class PromptsWanted(Previewed):
    """The prompts of one conversation of a plan."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"config": "support-quick", "index": 3}]}
    )

    index: _INDEX = 0
    """Number of the conversation in the whole run, from 0."""


class PlannedConversation(Shape):
    """One conversation as the plan has it."""

    index: int
    """Number in the whole run, from 0."""
    thread: int
    """Its thread, from 0."""
    number: int
    """Its number inside the thread, from 0."""
    visit: int
    """Mode ``sessions``: which conversation of its persona's thread it is, from 1; else 1."""
    persona: str
    voice: str
    pools: dict[str, str]
    """Pool to the value drawn."""
    turns: int
    """User and assistant together."""
    roughen: bool
    """Whether its user turns are roughened."""
    seed: int
    """Calls derive theirs from it."""


class PlannedShare(Shape):
    """One value of a dimension: what the mix asks for, and what the plan has of it."""

    dimension: str
    """``persona``, ``voice``, ``length``, ``roughen``, or ``pool:`` and the pool's name."""
    value: str
    """Name of a persona or voice, range of turns such as ``4-8``, ``yes`` or ``no``, or the pool's value."""
    weight: float
    """As the config says it; of a pool how often the value stands in it."""
    share_wanted: float
    """Part of all conversations that the weight asks for."""
    count: int
    """Conversations of the whole plan that have the value."""
    share: float
    """``count`` of all conversations."""


class PlannedDimension(Shape):
    """What is listed of a dimension."""

    dimension: str
    values: int
    """Different values there are."""
    listed: int
    """Values in ``shares``: the most frequent ones, where there are many."""
    exact: bool
    """Whether every count is exact; else it is what the threads get on average."""


class PlannedLength(Shape):
    """How many conversations have so many turns."""

    turns: int
    count: float
    """Conversations; a whole number where it is exact."""
    exact: bool
    """False: the expected number. Two independent orders decide which conversation has which length, so that only
    drawing all of them would give the number itself."""


class Collisions(Shape):
    """Conversations that share persona, voice and pool values with another."""

    distinct: int
    """Different draws of persona, voice and pool values there are."""
    conversations: int
    """Conversations that draw from them."""
    expected: float
    """Conversations of the whole plan that are expected to repeat the draw of an earlier one."""
    in_window: list[list[int]]
    """Groups of conversations of the window with the same draw, by index; empty where all differ."""


class Preview(Shape):
    """A window of a plan, and what the whole plan holds."""

    config: str
    config_version: int | None
    """None for a config that is not saved."""
    mode: Mode
    seed: int
    population: int
    """Conversations of the whole plan: the population of all shares here."""
    threads: int
    """Threads that the conversations are shared out over."""
    offset: int
    window: list[PlannedConversation]
    shares: list[PlannedShare]
    dimensions: list[PlannedDimension]
    lengths: list[PlannedLength]
    collisions: Collisions
    warnings: list[Problem]
    """What is allowed and probably not meant."""


class PreviewedPrompt(Shape):
    """A segment as a model would be sent it."""

    role: Literal["user", "assistant", "script", "roughen", "judge", "memory"]
    """Who is prompted with it."""
    segment: str
    turns: list[int]
    """Turns that are written from it, from 0; empty where it is not about a turn."""
    text: str | None
    """What the segment renders to; None where it does not render. What only a run can know stands in ⟨brackets⟩."""
    tokens: int | None
    """About how many tokens the text has."""
    beside: str
    """What is sent along with it, in words."""
    beside_tokens: int
    """About how many tokens that has, for the last of these turns."""
    calls: int
    """Calls that are sent it when nothing is tried again and no sample of a judge is left out."""
    compared_with: str
    """The example that the judge compares the conversation with; empty where it is asked for nothing of the kind."""


class PromptProblem(Shape):
    """Why a segment does not render, or is missing."""

    segment: str
    line: int | None
    """Line of the segment, from 1; None where it is about all of it."""
    message: str


class PreviewedPrompts(Shape):
    """Every prompt of one conversation of a plan. Nothing was called."""

    conversation: PlannedConversation
    prompts: list[PreviewedPrompt]
    """In the order in which they are first sent."""
    problems: list[PromptProblem]
    calls: int
    """Calls that it takes when it passes everything, nothing is tried again and no sample of a judge is left out."""
