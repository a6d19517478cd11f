"""What a run froze at its start: everything by value, content-hashed. No later edit reaches it."""

import hashlib

import orjson
from pydantic import BaseModel, ConfigDict, Field

from convo_events.catalog import (
    Backend,
    FilterList,
    Persona,
    Pool,
    PromptSet,
    RoleModel,
    RunConfig,
    Voice,
)
from convo_events.usage import CallRole


class ImportSource(BaseModel):
    """Conversations made elsewhere that a run of mode ``import`` reads."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: str
    name: str
    """Of the file, for people."""
    sha256: str
    """Of the file as it was sent."""
    count: int = Field(ge=1)
    """Conversations in it."""
    turns: int
    """In all of them together; likewise the characters of what is said."""
    characters: int


class Snapshot(BaseModel):
    """The frozen inputs of one run. Two runs with equal inputs have the same hash."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    config: RunConfig
    """The config, with this run's target count and seed put in."""
    config_version: int
    """Version of the config that was frozen."""
    versions: dict[str, int] = {}
    """``kind/name`` to the version that was frozen."""
    prompt_set: PromptSet
    personas: tuple[Persona, ...]
    """In the order of the config; empty in mode ``import``, like the voices."""
    voices: tuple[Voice, ...]
    pools: tuple[Pool, ...] = ()
    filter_lists: tuple[FilterList, ...] = ()
    backends: tuple[Backend, ...]
    common: str = Field(default="", exclude_if=lambda packed: not packed)
    """Three-word runs that most conversations of the prompt set had before this run: base 64 of big-endian 64-bit
    hashes, ascending; absent where nothing is known (see ``masking``)."""
    source: ImportSource | None = Field(default=None, exclude_if=lambda source: source is None)
    """Mode ``import``: what is read."""
    only: int | None = None
    """A sample: index of the one conversation of the plan that is made; None: all of them are."""

    def body(self) -> bytes:
        """Canonical JSON: sorted keys, no spaces."""
        absent = {"only"} if self.only is None else None
        return orjson.dumps(
            self.model_dump(mode="json", exclude=absent), option=orjson.OPT_SORT_KEYS
        )

    def hash(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal."""
        return hashlib.sha256(self.body()).hexdigest()

    @property
    def lanes(self) -> int:
        """Threads that really have something to do."""
        return 1 if self.only is not None else self.planned_lanes

    @property
    def planned_lanes(self) -> int:
        """Threads that the plan shares its conversations out over."""
        return min(self.config.threads, self.config.target_count)

    @property
    def target(self) -> int:
        """Conversations that are made."""
        return 1 if self.only is not None else self.config.target_count

    def quota(self, thread: int) -> int:
        """How many conversations a thread (from 0) makes; the lanes' quotas add up to the target."""
        return len(range(thread, self.target, self.lanes))

    def role(self, role: CallRole) -> RoleModel:
        """The model that plays a role.

        Raises:
            KeyError: where the config has none; a validated config has all that its mode needs.
        """
        roles = self.config.roles
        chosen = roles.assistant if role == "script" else getattr(roles, role)
        if chosen is None:
            raise KeyError(role)
        return chosen

    @property
    def takes_cut(self) -> bool:
        """Whether turns that ran into the answer limit are kept as they are."""
        assistant = self.config.roles.assistant
        return assistant is not None and "length" in assistant.accept_finish

    def judges(self) -> tuple[RoleModel, ...]:
        """Who judges, by seat: the model of the role ``judge``, then the panel; nobody where there is no layer 3."""
        judging, first = self.config.judge, self.config.roles.judge
        return () if judging is None or first is None else (first, *judging.panel)

    def callers(self) -> tuple[tuple[CallRole, int, RoleModel], ...]:
        """Who makes calls: role, seat (0 but for the judge's panel) and model."""
        return tuple(
            (role, seat, model)
            for role in self.call_roles()
            for seat, model in enumerate(self.judges() if role == "judge" else (self.role(role),))
        )

    def models(self) -> tuple[RoleModel, ...]:
        """Every model that this run makes calls to, as its roles use them."""
        return tuple(model for _, _, model in self.callers())

    def backend(self, name: str) -> Backend:
        """The frozen backend of that name.

        Raises:
            KeyError: where it was not frozen.
        """
        return next(b for b in self.backends if b.name == name)

    def call_roles(self) -> tuple[CallRole, ...]:
        """The roles that this run makes calls for."""
        config = self.config
        making: tuple[CallRole, ...] = ()
        if config.generates:
            making = ("user", "assistant") if config.speaks_in_turn else ("script",)
        beside: tuple[CallRole, ...] = ("roughen", "judge", "memory")
        return (*making, *(role for role in beside if getattr(config, role) is not None))
