"""Layer 1: every enabled rule over a conversation, in precedence order. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import ValidationError

from convo_events.catalog import RuleSetting
from convo_events.conversations import Conversation, Hit
from convo_events.errors import Invalid, Problem
from convo_events.plan import Draw
from convo_events.reasons import Layer
from convo_events.snapshot import Snapshot
from convo_events.spoken import Spoken
from convo_filters.rules_catalog import Rule, rules
from convo_filters.rules_context import Context, Reading, RuleParameters


@dataclass(frozen=True, slots=True)
class _Ready:
    rule: Rule
    parameters: RuleParameters
    prepared: object


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The enabled rules of one snapshot, prepared; make it once and keep it."""

    ready: tuple[_Ready, ...]
    """In precedence order."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "RuleSet":
        """The rules as the snapshot's config sets them; a rule that it does not name runs with its defaults.

        Raises:
            Invalid: if the config names a rule or a parameter that does not exist, or sets one wrongly.
        """
        settings = snapshot.config.rules
        if problems := validate_rules(settings):
            raise Invalid(problems, source=f"run config {snapshot.config.name}")
        ready = []
        for rule in rules():
            setting = settings.get(rule.reason, RuleSetting())
            if setting.enabled:
                parameters = rule.parameters.model_validate(setting.parameters)
                prepared = rule.prepare(snapshot, parameters) if rule.prepare else None
                ready.append(_Ready(rule, parameters, prepared))
        return cls(tuple(ready))

    def check(
        self, conversation: Conversation, draw: Draw | None = None, spoken: Spoken | None = None
    ) -> tuple[Hit, ...]:
        """Every rule's first finding, in precedence order: the recorded reason, then what is kept as ``also``.

        ``spoken`` keeps the words of the turns for what looks at them next.
        """
        reading = Reading.of(conversation, draw, spoken)
        found = (
            (one.rule, one.rule.check(conversation, Context(one.parameters, one.prepared, reading)))
            for one in self.ready
        )
        return tuple(
            Hit(
                reason=rule.reason,
                layer=Layer.MECHANICAL,
                precedence=rule.precedence,
                turn=finding.turn,
                start=finding.start,
                end=finding.end,
                excerpt=finding.excerpt,
                detail=finding.detail,
            )
            for rule, finding in found
            if finding is not None
        )


def check_mechanical(
    conversation: Conversation, snapshot: Snapshot, draw: Draw | None = None
) -> tuple[Hit, ...]:
    """Layer 1 of one conversation. For many of one snapshot keep a ``RuleSet``."""
    return RuleSet.of(snapshot).check(conversation, draw)


def validate_rules(settings: Mapping[str, RuleSetting]) -> list[Problem]:
    """Everything wrong with the rules of a config, with pointers from the config's root; empty if all is well."""
    known = {rule.reason: rule for rule in rules()}
    problems: list[Problem] = []
    for name, setting in settings.items():
        if name in known:
            problems += _parameter_problems(known[name], setting)
        else:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"rules are: {', '.join(known)}"
            problems.append(Problem(f"there is no rule {name}; {hint}", pointer=_pointer(name)))
    return problems


def _parameter_problems(rule: Rule, setting: RuleSetting) -> list[Problem]:
    try:
        rule.parameters.model_validate(setting.parameters)
    except ValidationError as error:
        return [
            Problem(
                f"{one['msg']}; {rule.reason} knows: "
                f"{', '.join(rule.parameters.model_fields) or 'no parameters'}",
                pointer=_pointer(rule.reason, "parameters", *map(str, one["loc"])),
            )
            for one in error.errors(include_url=False)
        ]
    return []


def _pointer(*parts: str) -> str:
    escaped = (part.replace("~", "~0").replace("/", "~1") for part in parts)
    return "/rules/" + "/".join(escaped)
