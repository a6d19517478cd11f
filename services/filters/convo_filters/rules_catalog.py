"""The rules there are, found by a scan of the folder ``rules``; no list is kept and nothing registers on import.

A rule is a module named by its reason, with

* ``PRECEDENCE``: its place in layer 1, unique; lower wins
* ``DESCRIPTION``: what it rejects, for people
* ``Parameters``: optional, a ``RuleParameters`` with a default for every field
* ``prepare(snapshot, parameters)``: optional, what can be worked out once for a run
* ``check(conversation, context)``: the first finding, or None; pure, linear, and never raising
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Protocol, cast

from convo_events.announcements import RuleAnnouncement
from convo_events.conversations import Conversation
from convo_events.reasons import Layer
from convo_events.snapshot import Snapshot
from convo_filters import rules as folder
from convo_filters.evidence import Found
from convo_filters.rules_context import Context, RuleParameters

Prepare = Callable[[Snapshot, RuleParameters], object]


class Check(Protocol):
    """The one function every rule has."""

    def __call__(
        self, conversation: Conversation, context: Context[RuleParameters, object]
    ) -> Found | None:
        """The first finding, or None."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One mechanical rule."""

    reason: str
    precedence: int
    description: str
    parameters: type[RuleParameters]
    prepare: Prepare | None
    check: Check


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """Every rule of the folder, in precedence order."""
    names = sorted(module.name for module in pkgutil.iter_modules(folder.__path__))
    found = [_rule(name, importlib.import_module(f"{folder.__name__}.{name}")) for name in names]
    return tuple(sorted(found, key=lambda rule: rule.precedence))


def announce() -> list[RuleAnnouncement]:
    """What the config form and the check of a config need to know of the rules, in precedence order."""
    return [
        RuleAnnouncement(
            reason=rule.reason,
            layer=Layer.MECHANICAL,
            precedence=rule.precedence,
            description=rule.description,
            parameters=rule.parameters.model_json_schema(),
        )
        for rule in rules()
    ]


def _rule(reason: str, module: ModuleType) -> Rule:
    return Rule(
        reason=reason,
        precedence=cast(int, module.PRECEDENCE),
        description=cast(str, module.DESCRIPTION),
        parameters=cast(type[RuleParameters], getattr(module, "Parameters", RuleParameters)),
        prepare=cast(Prepare | None, getattr(module, "prepare", None)),
        check=cast(Check, module.check),
    )
