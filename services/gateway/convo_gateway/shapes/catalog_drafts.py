"""What an editor shows before anything is written: prompts rendered while they are typed, and proposed prices."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from convo_events.catalog import Example, Mode, Name, Persona, Voice
from convo_events.prices import Prices
from convo_gateway.shapes.counts import Shape

_MOST_SEGMENTS = 20


class DraftPromptSet(Shape):
    """A prompt set as far as it is written; what it lacks to be complete is a problem and no refusal."""

    model_config = ConfigDict(extra="forbid")

    name: str = "draft"
    description: str = ""
    modes: tuple[str, ...] = ()
    segments: Annotated[
        dict[str, Annotated[str, Field(max_length=50_000)]], Field(max_length=_MOST_SEGMENTS)
    ]
    examples: tuple[Example, ...] = Field(default=(), max_length=200)


class DraftRender(Shape):
    """Prompts to render, and with what."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "prompt_set": {
                        "segments": {"script": "{{ persona.name }} asks of {{ topic }}."}
                    },
                    "persona": "ada",
                    "voice": {"name": "plain", "style": "Short."},
                    "pools": {"topic": "bread"},
                }
            ]
        },
    )

    prompt_set: DraftPromptSet
    persona: Persona | Name
    """A persona, or the name of one in the catalog."""
    voice: Voice | Name
    """A voice, or the name of one in the catalog."""
    pools: (
        Annotated[dict[Name, Annotated[str, Field(max_length=50_000)]], Field(max_length=50)]
        | Annotated[tuple[Name, ...], Field(max_length=50)]
    ) = ()
    """Value by pool, or names of pools in the catalog to draw from."""
    turns: Annotated[int, Field(ge=1, le=400)] = 6
    """Planned turns."""
    turn: Annotated[int, Field(ge=1, le=400)] = 1
    """Turn being written, from 1."""
    visit: Annotated[int, Field(ge=1, le=10_000)] = 1
    """Which conversation of the persona it is, in mode ``sessions``."""
    memory: Annotated[str, Field(max_length=20_000)] = ""
    """What the persona remembers of the ones before."""
    strength: Literal["light", "medium", "strong"] = "medium"
    """Of the roughening."""
    mode: Mode | None = None
    """Mode for which ``sent`` is said; null: the first one of the prompt set."""
    language: Annotated[str, Field(max_length=35)] = "en"
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 1
    """Chooses the values where pools are drawn from."""


class RenderProblem(Shape):
    """Why a segment does not render."""

    message: str
    line: int | None
    """Line of the segment, from 1."""


class RenderedSegment(Shape):
    """One segment; it has either a text or a problem."""

    text: str | None = None
    problem: RenderProblem | None = None
    sent: bool
    """Whether the mode sends it for this turn."""


class DraftProblem(Shape):
    """Something wrong with the draft."""

    message: str
    pointer: str
    """JSON pointer into the prompt set, such as ``/segments/user``; ``/pools`` and the like lead into the request."""
    line: int | None = None
    """Line of the segment, from 1."""


class DraftRendering(Shape):
    """What the models would be sent."""

    segments: dict[str, RenderedSegment]
    pools: dict[str, str]
    """The values that were drawn."""
    problems: list[DraftProblem]
    """Also of segments and branches that this rendering did not go through."""


class ProposedPrices(Shape):
    """Prices of a model as a public list has them."""

    model: str
    """As it was asked for."""
    listed_as: str
    """Name under which the list has it."""
    provider: str
    prices: Prices
    """Dollars per million tokens; to be looked over and saved with the backend."""
    source: str
    """List, its version, and the day for which the prices were read."""
    at: datetime
    """Moment for which they were read."""
    context_tokens: int | None
    """Longest prompt plus answer, where the list says so."""
    note: str
    """What the list remarks, such as when the prices were last checked."""
