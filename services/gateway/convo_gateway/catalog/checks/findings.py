"""What a check of a run config finds, and the config as far as it is known."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from convo_events.catalog import (
    Backend,
    FilterList,
    Model,
    Persona,
    Pool,
    PromptSet,
    RoleModel,
    RunConfig,
    Voice,
)

Severity = Literal["error", "warning"]
RoleField = Literal["assistant", "user", "judge", "memory", "roughen"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a run config."""

    message: str
    """What is wrong, and what to do."""
    pointer: str
    """JSON pointer into the config."""
    severity: Severity = "error"
    """A run cannot start with an error; a warning is allowed and probably not meant."""


def warning(message: str, pointer: str) -> Finding:
    """Something that is allowed and probably not meant."""
    return Finding(message, pointer, "warning")


@dataclass(frozen=True, slots=True)
class Parts:
    """A run config with what was found of the objects that it names."""

    config: RunConfig
    prompt_set: PromptSet | None
    personas: tuple[Persona, ...]
    """Those that were found, in the order of the config; likewise the other objects."""
    voices: tuple[Voice, ...]
    pools: tuple[Pool, ...]
    filter_lists: tuple[FilterList, ...]
    backends: Mapping[str, Backend]
    """By name."""
    unsure: frozenset[str] = field(default=frozenset())
    """Pointers of values that stand in for invalid ones: nothing is to be said about them."""

    def sure(self, *pointers: str) -> bool:
        """Whether these parts of the config are as they were written."""
        return not any(_overlap(known, asked) for known in self.unsure for asked in pointers)

    def roles(self) -> Iterator["Called"]:
        """The models that calls are made to, and where the config names them."""
        yield from called_roles(self.config)

    def model(self, role: RoleModel) -> Model | None:
        """The model of a role, where it was found."""
        backend = self.backends.get(role.backend)
        return backend.model_named(role.model) if backend else None


@dataclass(frozen=True, slots=True)
class Called:
    """A model that calls are made to."""

    name: RoleField
    """What for."""
    role: RoleModel
    pointer: str
    """Where the config names it."""


def called_roles(config: RunConfig) -> Iterator[Called]:
    """The models that calls are made to, and where the config names them: the roles, then the judge's panel."""
    roles = config.roles
    named: tuple[tuple[RoleField, RoleModel | None], ...] = (
        ("assistant", roles.assistant),
        ("user", roles.user if config.speaks_in_turn else None),
        ("judge", roles.judge),
        ("memory", roles.memory),
        ("roughen", roles.roughen),
    )
    for name, role in named:
        if role is not None:
            yield Called(name, role, f"/roles/{name}")
    for seat, judge in enumerate(config.judge.panel if config.judge else ()):
        yield Called("judge", judge, f"/judge/panel/{seat}")


def _overlap(one: str, other: str) -> bool:
    """Whether one pointer leads to the other, or into it."""
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")
