"""The shapes of catalog objects: what a person writes, and what a run freezes.

Every object is versioned by the catalog; here is only what one version says. Unknown keys are refused, so that a
misspelt one never silently does nothing.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, model_validator

from convo_events.catalog_parts import CatalogObject as CatalogObject
from convo_events.catalog_parts import Misfit as Misfit
from convo_events.catalog_parts import Name as Name
from convo_events.catalog_parts import RoleModel as RoleModel
from convo_events.catalog_parts import Share as Share
from convo_events.catalog_parts import Text as Text
from convo_events.catalog_parts import Weight as Weight
from convo_events.judge_health import JudgeHealth as JudgeHealth
from convo_events.judging import JudgedCriterion as JudgedCriterion
from convo_events.judging import Judging as Judging
from convo_events.judging import PairComparison as PairComparison
from convo_events.prices import Prices

LOWEST_CORPUS_LIMIT = 0.5
"""Lowest near-duplicate limit over more than one run: their one index would miss pairs under it."""
Mode = Literal["scripted", "dialogue", "sessions", "import"]
Segment = Literal["user", "assistant", "script", "opening", "judge", "memory", "roughen"]
SEGMENTS: dict[Mode, frozenset[Segment]] = {
    "scripted": frozenset({"script"}),
    "dialogue": frozenset({"user", "assistant"}),
    "sessions": frozenset({"user", "assistant"}),
    "import": frozenset(),
}
"""Mode to the segments that it cannot do without."""


class Example(CatalogObject):
    """A conversation shown to the model; a copy of it is rejected by ``example_copy``."""

    name: Name
    """Name that a reject can point to."""
    turns: tuple[Text, ...] = Field(min_length=1, max_length=200)
    """User first, then alternating."""


class PromptSet(CatalogObject):
    """Named segments (sandboxed Jinja templates) for the roles of a mode.

    Variables: ``persona`` (name, summary, traits, language), ``voice`` (name, style), one for each pool by its name
    (dashes become underscores), ``turns`` (planned number), ``turn`` (number of the turn being written, from 1),
    ``language``, ``examples``, ``visit`` (which conversation of this persona in its thread, from 1), ``memory`` (what
    is remembered of the earlier ones; empty for the first) and ``strength`` (of the roughening).
    """

    name: Name
    description: str = ""
    modes: tuple[Mode, ...] = Field(min_length=1)
    """Modes it has the segments for: ``scripted`` needs ``script``, ``dialogue`` and ``sessions`` need ``user`` and
    ``assistant``, ``import`` needs none."""
    segments: dict[Segment, Text]
    """``opening`` asks the user side for the first message; without it ``user`` is used for every turn. ``memory`` asks
    what is worth remembering of a conversation, ``roughen`` for user turns as this persona would really type them."""
    examples: tuple[Example, ...] = ()

    @model_validator(mode="after")
    def _segments_fit_modes(self) -> "PromptSet":
        missing = sorted(
            {need for mode in self.modes for need in SEGMENTS[mode]} - set(self.segments)
        )
        if missing:
            raise ValueError(
                f"segments missing for modes {', '.join(self.modes)}: {', '.join(missing)}"
            )
        return self


class Persona(CatalogObject):
    """Who the user side is."""

    name: Name
    summary: Annotated[str, Field(min_length=1, max_length=2_000)]
    """One to three sentences that a prompt can carry."""
    traits: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] = ()
    """Short facts: occupation, habits, what they know and do not know."""
    language: str = "en"
    """BCP 47 code of the language they write in."""


class Voice(CatalogObject):
    """How someone writes."""

    name: Name
    style: Annotated[str, Field(min_length=1, max_length=2_000)]
    """Instructions about form: length, punctuation, case, habits."""


class Pool(CatalogObject):
    """A named list of values that templates draw from; the pool's name is the variable (dashes become underscores)."""

    name: Name
    values: tuple[Text, ...] = Field(min_length=1, max_length=100_000)


class FilterList(CatalogObject):
    """Phrases or patterns that a rule looks for."""

    name: Name
    description: str = ""
    phrases: tuple[Annotated[str, Field(min_length=1, max_length=500)], ...] = ()
    """Found whole-word, without regard to case."""
    patterns: tuple[Annotated[str, Field(min_length=1, max_length=500)], ...] = ()
    """Regular expressions (Python ``re``), without regard to case."""
    speaker: Literal["user", "assistant", "any"] = "assistant"
    """Whose turns are searched."""


class Model(CatalogObject):
    """One model of a backend."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    prices: Prices | None = None
    """None: the price is unknown, which is not free."""
    max_concurrency: Annotated[int, Field(ge=1, le=10_000)] = 32
    """Most calls in flight at once, over all replicas."""
    context_tokens: Annotated[int, Field(ge=256)] = 128_000
    """Longest prompt plus answer."""


class Backend(CatalogObject):
    """An OpenAI-compatible API. The key is a reference and never a value."""

    name: Name
    base_url: Annotated[
        str,
        Field(pattern=r"^(https?://[^@\s]+|\$\{[A-Z][A-Z0-9_]{0,99}\}[^@\s]*)$", max_length=2_000),
    ]
    """Without user info. ``${NAME}`` is read from the service's environment at the call."""
    key_env: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,99}$")] | None = None
    """Environment variable that holds the key; None where none is needed."""
    models: tuple[Model, ...] = Field(min_length=1)
    timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 120
    """Deadline of one call, from sending to the last byte."""
    stream: bool = False
    """Ask for streamed answers."""
    structured: Literal["json_schema", "json_object", "none"] = "json_schema"
    """What the API understands when an answer has to be JSON."""
    token_limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """How the API calls the limit of the answer."""

    def model_named(self, name: str) -> Model | None:
        """The model of that name, or None."""
        return next((model for model in self.models if model.name == name), None)


class Weighted(CatalogObject):
    """One entry of a mix."""

    name: Name
    weight: Weight = 1


class LengthShare(CatalogObject):
    """A share of the conversations, with its range of turns."""

    turns: tuple[Annotated[int, Field(ge=1, le=400)], Annotated[int, Field(ge=1, le=400)]]
    """Fewest and most turns, both counted over user and assistant."""
    share: Weight
    """Relative weight; shares need not add up to 1."""

    @model_validator(mode="after")
    def _ordered(self) -> "LengthShare":
        if self.turns[0] > self.turns[1]:
            raise ValueError(
                f"turns [{self.turns[0]}, {self.turns[1]}]: the first must not exceed the second"
            )
        return self


class Roles(CatalogObject):
    """A model for each role. ``scripted`` uses ``assistant`` for the script."""

    assistant: RoleModel | None = None
    """Needed by every mode but ``import``."""
    user: RoleModel | None = None
    """Needed by ``dialogue`` and ``sessions``."""
    judge: RoleModel | None = None
    """None: there is no layer 3."""
    memory: RoleModel | None = None
    """Needed where there is memory."""
    roughen: RoleModel | None = None
    """Needed where conversations are roughened."""


class RuleSetting(CatalogObject):
    """A rule of layer 1, switched or tuned."""

    enabled: bool = True
    parameters: dict[str, bool | int | float | str | tuple[str, ...]] = Field(default={})
    """What the rule itself announces."""


class Diversity(CatalogObject):
    """Layer 2."""

    near_duplicate: Annotated[float, Field(gt=0.3, le=1)] | None = 0.7
    """Jaccard similarity of masked word 3-grams above which a conversation is too near; None switches it off."""
    scope: Literal["run", "config", "everything"] = Field(
        default="run", exclude_if=lambda chosen: chosen == "run"
    )
    """What a conversation must not be too near to: what this run accepted, all runs of this config, or all runs."""
    example_copy: Annotated[float, Field(gt=0, le=1)] | None = 0.5
    """Share of an example's 3-grams found in a conversation above which it is a copy; None switches it off."""
    distinct3_floor: Annotated[float, Field(ge=0, le=1)] | None = None
    """Distinct-3 over the last 100 accepted under this is too low."""
    below_floor: Literal["show", "pause", "stop"] = Field(
        default="show", exclude_if=lambda chosen: chosen == "show"
    )
    """What a run does under the floor: show it, pause, or stop for good. With fewer than 100 accepted it only shows."""

    @model_validator(mode="after")
    def _limit_fits_scope(self) -> "Diversity":
        limit = self.near_duplicate
        if self.scope != "run" and limit is not None and limit < LOWEST_CORPUS_LIMIT:
            raise ValueError(
                f"near_duplicate {limit} is too low for scope {self.scope}: over several runs it is"
                f" {LOWEST_CORPUS_LIMIT} or more"
            )
        return self


class Memory(CatalogObject):
    """What a persona remembers from one conversation of its thread to the next."""

    max_characters: Annotated[int, Field(ge=100, le=20_000)] = 2_000
    """Longest memory; a longer one is cut at the end of a sentence."""


class Roughening(CatalogObject):
    """User turns rewritten the way people really type, with the same meaning."""

    share: Annotated[float, Field(gt=0, le=1)] = 0.3
    """Share of the conversations; the plan says which."""
    strength: Literal["light", "medium", "strong"] = "medium"
    """How far the text may go from careful writing."""


class RunConfig(CatalogObject):
    """Everything a run needs to know, by name."""

    name: Name
    description: str = ""
    mode: Mode
    target_count: Annotated[int, Field(ge=1, le=10_000_000)]
    """Conversations to make, whatever becomes of them; mode ``import``: the most that are taken."""
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 1
    """Of the plan. Under 2**53, so that every reader of JSON keeps all its digits."""
    threads: Annotated[int, Field(ge=1, le=1_000_000)] = 16
    """Lanes the target is shared out over."""
    language: str = "en"
    """BCP 47 code of the language the conversations should be in."""
    prompt_set: Name
    personas: tuple[Weighted, ...] = ()
    """Needed by every mode but ``import``; so are voices and lengths."""
    voices: tuple[Weighted, ...] = ()
    pools: tuple[Name, ...] = ()
    filter_lists: tuple[Name, ...] = ()
    length_mix: tuple[LengthShare, ...] = ()
    roles: Roles = Roles()
    rules: dict[str, RuleSetting] = Field(default={})
    """By reason; a rule that is not named runs with its own defaults."""
    diversity: Diversity = Diversity()
    judge: Judging | None = None
    memory: Memory | None = None
    """Only in ``sessions``; None: personas come back and remember nothing."""
    roughen: Roughening | None = None
    """None: user turns stay as they were generated."""
    retries: Annotated[int, Field(ge=0, le=20)] = 3
    """New tries of a step after an error that may pass. Waiting for a rate limit is not counted."""
    spend_cap_usd: Annotated[float, Field(gt=0)] | None = None
    confirm_above_usd: Annotated[float, Field(ge=0)] | None = None
    """A start whose estimate is strictly above asks for confirmation."""

    @model_validator(mode="after")
    def _parts_fit_mode(self) -> "RunConfig":
        for misfit in self.misfits():
            raise ValueError(misfit.message)
        return self

    @property
    def generates(self) -> bool:
        """Whether conversations are made; else they were made elsewhere and are read from an import."""
        return self.mode != "import"

    @property
    def speaks_in_turn(self) -> bool:
        """Whether each turn is a call of its own; else a conversation comes as a whole."""
        return self.mode in ("dialogue", "sessions")

    def misfits(self) -> Iterator[Misfit]:
        """Parts that the mode lacks or has no use for, and parts that go together of which only one is there."""
        yield from self._lacking() if self.generates else self._idle()
        for part in ("judge", "memory", "roughen"):
            there, role = getattr(self, part) is not None, getattr(self.roles, part) is not None
            if there != role:
                message = f"{part} and roles.{part} go together: name both or neither"
                pointers = (f"/{part}", f"/roles/{part}")
                yield Misfit(message, pointers[there], pointers)

    def _lacking(self) -> Iterator[Misfit]:
        for part in ("personas", "voices", "length_mix"):
            if not getattr(self, part):
                message = f"{part} is missing: mode {self.mode} draws from at least one"
                yield Misfit(message, f"/{part}", ("/mode", f"/{part}"))
        asked = {"assistant": "to answer"} | (
            {"user": "for the user side"} if self.speaks_in_turn else {}
        )
        for role, what in asked.items():
            if getattr(self.roles, role) is None:
                message = f"roles.{role} is missing: mode {self.mode} needs a model {what}"
                yield Misfit(message, f"/roles/{role}", ("/mode", "/roles"))
        if self.memory is not None and self.mode != "sessions":
            message = (
                f"memory is for mode sessions; mode {self.mode} has no returning personas: "
                "take memory out, or choose sessions"
            )
            yield Misfit(message, "/memory", ("/mode",))

    def _idle(self) -> Iterator[Misfit]:
        given = {f"/{part}": getattr(self, part) for part in _MAKING}
        given |= {f"/roles/{role}": getattr(self.roles, role) for role in ("assistant", "user")}
        for pointer, value in given.items():
            if value:
                name = pointer[1:].replace("/", ".")
                message = f"mode import makes no turn, so it has no use for {name}: take it out"
                yield Misfit(message, pointer, ("/mode", pointer))


_MAKING = ("personas", "voices", "pools", "length_mix", "memory", "roughen")
"""What conversations are made from."""
KINDS: dict[str, type[CatalogObject]] = {
    "prompt-sets": PromptSet,
    "personas": Persona,
    "voices": Voice,
    "pools": Pool,
    "filter-lists": FilterList,
    "backends": Backend,
    "run-configs": RunConfig,
}
"""Kind, as it stands in the API's paths, to its shape."""
