"""Settings of rules against what the rules announced: names, parameters, and their plain types and bounds."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from convo_events.catalog import RuleSetting
from convo_events.errors import Problem
from convo_gateway.catalog.explain import suggestion

Schema: TypeAlias = Mapping[str, object]
"""JSON schema of an object."""
Value: TypeAlias = "bool | int | float | str | tuple[str, ...]"


def rule_problems(
    settings: Mapping[str, RuleSetting], rules: Mapping[str, Schema]
) -> Iterator[Problem]:
    """What does not fit in the settings of rules.

    Only ``type``, ``enum``, ``minimum`` and ``maximum`` of a schema are looked at; the rule itself has the last word.

    Args:
        settings: Setting by rule.
        rules: JSON schema of the parameters by rule.
    """
    for rule, setting in settings.items():
        if rule not in rules:
            yield Problem(f'unknown rule "{rule}"{suggestion(rule, list(rules))}', f"/rules/{rule}")
            continue
        known = rules[rule].get("properties")
        parameters: Mapping[str, object] = known if isinstance(known, Mapping) else {}
        for name, value in setting.parameters.items():
            pointer = f"/rules/{rule}/parameters/{name}"
            if name not in parameters:
                hint = suggestion(name, list(parameters)) or "; it has none"
                yield Problem(f'rule "{rule}" has no parameter "{name}"{hint}', pointer)
            elif isinstance(schema := parameters[name], Mapping) and (
                expected := _unmet(value, schema)
            ):
                yield Problem(f"found {value!r}, expected {expected}", pointer)


def _unmet(value: Value, schema: Schema) -> str | None:
    """What the schema expects instead of the value; None where it fits."""
    types: dict[str, type | tuple[type, ...]] = {
        "boolean": bool,
        "integer": int,
        "number": (int, float),
        "string": str,
        "array": tuple,
    }
    name = schema.get("type")
    expected = types.get(name) if isinstance(name, str) else None
    truth_for_number = isinstance(value, bool) and name != "boolean"
    if expected is not None and (truth_for_number or not isinstance(value, expected)):
        return str(name)
    choices = schema.get("enum")
    if isinstance(choices, list) and value not in choices:
        return "one of " + ", ".join(map(str, choices))
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(value, int | float):
        if isinstance(low, int | float) and value < low:
            return f"at least {low}"
        if isinstance(high, int | float) and value > high:
            return f"at most {high}"
    return None
