"""A run config and everything it names, frozen by value; or every reason why it cannot be. Pure: no I/O, no clock."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol, TypeVar

from pydantic import ValidationError

from convo_events.catalog import (
    Backend,
    CatalogObject,
    FilterList,
    Persona,
    Pool,
    PromptSet,
    RoleModel,
    RunConfig,
    Voice,
)
from convo_events.errors import Invalid, Problem
from convo_events.snapshot import Snapshot
from convo_gateway.catalog.documents import SINGULAR, Named, kind_of
from convo_gateway.catalog.rule_settings import Schema, rule_problems
from convo_models import prompts

CheckTemplates = Callable[[PromptSet, Sequence[str]], list[Problem]]
"""Prompt set and pool names to what is wrong with the templates."""
_Object = TypeVar("_Object", bound=CatalogObject)


class Lookup(Protocol):
    """Where named objects come from."""

    def __call__(self, kind: str, name: str, /) -> tuple[CatalogObject, int] | None:
        """The latest version of an object and its number; None where there is none of that name."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """What a run starts from."""

    snapshot: Snapshot
    warnings: tuple[Problem, ...]
    """What is allowed and probably not meant."""


def lookup_in(objects: Iterable[Named]) -> Lookup:
    """A lookup in objects at hand, each in version 1."""
    known = {(kind_of(item), item.name): item for item in objects}

    def look(kind: str, name: str, /) -> tuple[CatalogObject, int] | None:
        item = known.get((kind, name))
        return None if item is None else (item, 1)

    return look


def references(config: RunConfig) -> set[tuple[str, str]]:
    """Kind and name of everything that a config names."""
    roles = config.roles
    return {
        ("prompt-sets", config.prompt_set),
        *(("personas", entry.name) for entry in config.personas),
        *(("voices", entry.name) for entry in config.voices),
        *(("pools", name) for name in config.pools),
        *(("filter-lists", name) for name in config.filter_lists),
        *(
            ("backends", role.backend)
            for role in (roles.assistant, roles.user, roles.judge)
            if role
        ),
    }


def freeze(
    config: RunConfig,
    config_version: int,
    lookup: Lookup,
    *,
    target_count: int | None = None,
    seed: int | None = None,
    check_templates: CheckTemplates = prompts.check_templates,
    rules: Mapping[str, Schema] | None = None,
) -> Frozen:
    """The frozen inputs of a run, and warnings.

    Args:
        config: The config as the catalog has it.
        config_version: Its version.
        lookup: Where the objects it names come from.
        target_count: Instead of the config's, for this run.
        seed: Instead of the config's, for this run.
        check_templates: What checks the templates of the prompt set.
        rules: JSON schema of the parameters by rule, as the filters announced them; None where nothing is known yet.

    Raises:
        Invalid: with every problem; pointers lead into the config.
    """
    config = _overridden(config, target_count, seed)
    found = _Found(lookup)
    prompt_set = found.get(PromptSet, "prompt-sets", config.prompt_set, "/prompt_set")
    personas = found.all(Persona, "personas", [e.name for e in config.personas], "/name")
    voices = found.all(Voice, "voices", [e.name for e in config.voices], "/name")
    pools = found.all(Pool, "pools", config.pools)
    filter_lists = found.all(FilterList, "filter-lists", config.filter_lists)
    backends = _backends(config, found)
    problems = [
        *found.problems,
        *(_prompt_problems(config, prompt_set, check_templates) if prompt_set else ()),
        *_pattern_problems(filter_lists),
        *_cap_problems(config, backends),
        *(rule_problems(config.rules, rules) if rules is not None else ()),
    ]
    if problems or prompt_set is None:
        raise Invalid(problems, source=f"run config {config.name}")
    snapshot = Snapshot(
        config=config,
        config_version=config_version,
        versions=dict(sorted(found.versions.items())),
        prompt_set=prompt_set,
        personas=tuple(personas),
        voices=tuple(voices),
        pools=tuple(pools),
        filter_lists=tuple(filter_lists),
        backends=tuple(backends.values()),
    )
    return Frozen(snapshot, tuple(_warnings(snapshot)))


def _overridden(config: RunConfig, target_count: int | None, seed: int | None) -> RunConfig:
    given = {"target_count": target_count, "seed": seed}
    changes = {name: value for name, value in given.items() if value is not None}
    try:
        return RunConfig.model_validate({**config.model_dump(), **changes})
    except ValidationError as error:
        problems = [
            Problem(
                f"{detail['input']!r}: {detail['msg']}", "".join(f"/{p}" for p in detail["loc"])
            )
            for detail in error.errors()
        ]
        raise Invalid(problems, source=f"run config {config.name}") from error


class _Found:
    """Objects looked up so far, their versions, and what was missing."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self.versions: dict[str, int] = {}
        self.problems: list[Problem] = []

    def get(self, shape: type[_Object], kind: str, name: str, pointer: str) -> _Object | None:
        found = self._lookup(kind, name)
        if found is None:
            word = SINGULAR[kind].replace("-", " ")
            message = f'there is no {word} "{name}" in the catalog; add it or name another'
            self.problems.append(Problem(message, pointer))
            return None
        item, self.versions[f"{kind}/{name}"] = found
        if not isinstance(item, shape):
            raise TypeError(f"{kind}/{name} is a {type(item).__name__}")
        return item

    def all(
        self, shape: type[_Object], kind: str, names: Sequence[str], end: str = ""
    ) -> list[_Object]:
        """The objects in the order of the names; a name that comes twice is a problem."""
        field = kind.replace("-", "_")
        for name, times in Counter(names).items():
            if times > 1:
                again = len(names) - 1 - names[::-1].index(name)
                message = f'"{name}" is named {times} times; name it once, with its whole weight'
                self.problems.append(Problem(message, f"/{field}/{again}{end}"))
        found = (
            self.get(shape, kind, name, f"/{field}/{at}{end}") for at, name in enumerate(names)
        )
        return [item for item in found if item is not None]


def _roles(config: RunConfig) -> dict[str, RoleModel]:
    """The roles that calls are made for, by their field in ``roles``."""
    roles = config.roles
    user = roles.user if config.mode == "dialogue" else None
    named = {"assistant": roles.assistant, "user": user, "judge": roles.judge}
    return {name: role for name, role in named.items() if role is not None}


def _backends(config: RunConfig, found: _Found) -> dict[str, Backend]:
    """The backends of the roles by name; models that they lack are problems."""
    backends: dict[str, Backend] = {}
    for field, role in _roles(config).items():
        pointer = f"/roles/{field}"
        backend = found.get(Backend, "backends", role.backend, f"{pointer}/backend")
        if backend is None:
            continue
        backends[role.backend] = backend
        model = backend.model_named(role.model)
        if model is None:
            there = ", ".join(known.name for known in backend.models[:20])
            message = f'backend "{role.backend}" has no model "{role.model}"; it has {there}'
            found.problems.append(Problem(message, f"{pointer}/model"))
        elif role.max_tokens >= model.context_tokens:
            message = f"{role.max_tokens} leaves no room for a prompt: the model holds {model.context_tokens} tokens"
            found.problems.append(Problem(message, f"{pointer}/max_tokens"))
    return backends


def _prompt_problems(
    config: RunConfig, prompt_set: PromptSet, check_templates: CheckTemplates
) -> list[Problem]:
    problems: list[Problem] = []
    if config.mode not in prompt_set.modes:
        modes = ", ".join(prompt_set.modes)
        message = f'prompt set "{prompt_set.name}" is for {modes}, not for {config.mode}'
        problems.append(Problem(message, "/mode"))
    for problem in check_templates(prompt_set, config.pools):
        if problem.pointer.startswith("/segments/"):
            segment = problem.pointer.removeprefix("/segments/")
            message = f'prompt set "{prompt_set.name}", segment {segment}: {problem.message}'
            problems.append(Problem(message, "/prompt_set"))
        else:
            problems.append(problem)
    return problems


def _pattern_problems(filter_lists: Sequence[FilterList]) -> list[Problem]:
    problems: list[Problem] = []
    for at, filter_list in enumerate(filter_lists):
        for pattern in filter_list.patterns:
            try:
                re.compile(pattern, re.IGNORECASE)
            except (re.error, RecursionError, OverflowError) as error:
                message = f'filter list "{filter_list.name}": pattern {pattern!r} is no regular expression: {error}'
                problems.append(Problem(message, f"/filter_lists/{at}"))
    return problems


def _cap_problems(config: RunConfig, backends: Mapping[str, Backend]) -> list[Problem]:
    """A cap can only be kept where every model has a price."""
    if config.spend_cap_usd is None:
        return []
    unpriced = {
        f"{role.backend}/{role.model}"
        for role in _roles(config).values()
        if (backend := backends.get(role.backend))
        and (model := backend.model_named(role.model))
        and model.prices is None
    }
    message = "a spend cap needs a price for every model; without one are {}: give prices, or drop the cap"
    names = ", ".join(sorted(unpriced))
    return [Problem(message.format(names), "/spend_cap_usd")] if unpriced else []


def _warnings(snapshot: Snapshot) -> list[Problem]:
    """What is allowed and probably not meant."""
    config, warnings = snapshot.config, []
    judge, assistant = config.roles.judge, config.roles.assistant
    if judge and (judge.backend, judge.model) == (assistant.backend, assistant.model):
        message = "the judge is the model that it judges; its scores will be kind to itself"
        warnings.append(Problem(message, "/roles/judge/model"))
    distinct = distinct_draws(snapshot)
    if config.target_count > distinct:
        message = (
            f"{config.target_count:,} conversations from {distinct:,} distinct draws of persona, voice and pools: "
            "some draws come again; add values, or make fewer"
        )
        warnings.append(Problem(message, "/target_count"))
    if config.mode == "dialogue":
        for at, part in enumerate(config.length_mix):
            low, high = part.turns
            if low == high and low % 2:
                message = f"a dialogue ends with the assistant: {low} turns become {low + 1}"
                warnings.append(Problem(message, f"/length_mix/{at}/turns"))
    return warnings


def distinct_draws(snapshot: Snapshot) -> int:
    """How many different draws of persona, voice and pool values there are."""
    values = prod(len(set(pool.values)) for pool in snapshot.pools)
    return len(snapshot.personas) * len(snapshot.voices) * values
