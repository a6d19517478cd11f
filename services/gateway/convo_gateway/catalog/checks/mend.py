"""A run config as far as it is written: what is invalid is named, and stood in for so that the rest can be checked."""

from copy import deepcopy
from json import dumps
from typing import TypeAlias

from pydantic import ValidationError, model_validator

from convo_events.catalog import RunConfig
from convo_gateway.catalog.checks.findings import Finding
from convo_gateway.catalog.explain import problems_of
from convo_gateway.catalog.yaml_tree import MAX_DEPTH, TOO_DEEP, Json, Path, Place, Tree, pointer

Body: TypeAlias = "dict[str, Json]"


class _Fields(RunConfig):
    """A run config without the rules between its fields."""

    @model_validator(mode="after")
    def _parts_fit_mode(self) -> "_Fields":
        return self


_NAME = "stand-in"
_ROLE: Json = {"backend": _NAME, "model": _NAME}
_ENTRIES: dict[str, Json] = {
    "personas": {"name": _NAME},
    "voices": {"name": _NAME},
    "pools": _NAME,
    "filter_lists": _NAME,
    "length_mix": {"turns": [2, 2], "share": 1},
}
_FIELDS: dict[str, Json] = {
    "name": _NAME,
    "mode": "dialogue",
    "target_count": 1,
    "prompt_set": _NAME,
    "personas": [_ENTRIES["personas"]],
    "voices": [_ENTRIES["voices"]],
    "length_mix": [_ENTRIES["length_mix"]],
    "roles": {"assistant": _ROLE, "user": _ROLE},
    "judge": {"criteria": [{"name": "stand_in", "question": "?"}], "threshold": 3},
    "memory": {},
    "roughen": {},
}
"""What stands in for a field; one that is not here falls back to its default."""
_MOST_ROUNDS = 4
_NO_TEXT = "a text holds the character NUL, or half of a surrogate pair, and cannot be stored"


def mended(body: Body) -> tuple[RunConfig, frozenset[str], list[Finding]]:
    """The config, the pointers of what stands in for something invalid, and what is invalid.

    The rules between the fields are not looked at; other checks say what is wrong there.
    """
    findings: list[Finding] = []
    work = _readable(body, (), findings)
    assert isinstance(work, dict)
    findings += shape_findings(work)
    unsure = {finding.pointer for finding in findings if finding.message in (_NO_TEXT, TOO_DEEP)}
    for _ in range(_MOST_ROUNDS):
        try:
            fields = _Fields.model_validate_json(dumps(work), strict=True)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                place = _stand_in(work, detail["loc"], unknown=detail["type"] == "extra_forbidden")
                unsure.update(place)
        else:
            known = {name: getattr(fields, name) for name in RunConfig.model_fields}
            return RunConfig.model_construct(**known), frozenset(unsure), findings
    raise AssertionError("stand-ins are valid")


def _readable(value: Json, path: Path, findings: list[Finding]) -> Json:
    """The value, copied, without what no catalog can keep."""
    if len(path) > MAX_DEPTH:
        findings.append(Finding(TOO_DEEP, pointer(path[:2])))
        return None
    match value:
        case str():
            clean = _text(value)
            if clean != value:
                findings.append(Finding(_NO_TEXT, pointer(path)))
            return clean
        case dict():
            return {
                (name := _text(key)): _readable(inner, (*path, name), findings)
                for key, inner in value.items()
            }
        case list():
            return [_readable(inner, (*path, at), findings) for at, inner in enumerate(value)]
        case _:
            return value


def _text(written: str) -> str:
    return written.replace("\0", "").encode("utf-8", "ignore").decode()


def shape_findings(body: Json) -> list[Finding]:
    """Everything that no run config can be, field by field."""
    try:
        RunConfig.model_validate_json(dumps(body), strict=True)
    except ValidationError as error:
        at_root = [e for e in error.errors(include_url=False) if not e["loc"]]
        if at_root and isinstance(body, dict):
            return []
        found = problems_of(error, RunConfig, _tree(body), (), "")
        return [Finding(problem.message, problem.pointer) for problem in found]
    return []


def _tree(body: Json) -> Tree:
    """The body with the paths of its values; there is no file, so all of them stand in one place."""
    tree = Tree(body)
    nowhere = Place(1, 1)

    def walk(value: Json, path: Path) -> None:
        tree.values[path] = nowhere
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, (*path, key))
        elif isinstance(value, list):
            for at, inner in enumerate(value):
                walk(inner, (*path, at))

    walk(body, ())
    return tree


def _stand_in(work: Body, loc: Path, *, unknown: bool) -> list[str]:
    """Put something valid where an error is; the pointers of what was replaced."""
    field, *rest = loc
    field = str(field)
    if unknown:
        return _dropped(work, loc)
    entries, key = work.get(field), rest[0] if rest else None
    match entries, key:
        case list(), int() if field in _ENTRIES and key < len(entries):
            entries[key] = deepcopy(_ENTRIES[field])
        case dict(), str() if field == "roles" and key in ("assistant", "user"):
            entries[key] = deepcopy(_ROLE)
        case dict(), str() if field == "roles" and key in entries:
            entries[key] = deepcopy(_ROLE)
        case dict(), str() if field == "rules" and key in entries:
            del entries[key]
        case _:
            work.pop(field, None)
            if field in _FIELDS:
                work[field] = deepcopy(_FIELDS[field])
            return [pointer((field,))]
    assert key is not None
    return [pointer((field, key))]


def _dropped(work: Body, loc: Path) -> list[str]:
    """Take out a key that no config has; what is around it stays as it is."""
    inside: Json = work
    for part in loc[:-1]:
        match inside, part:
            case dict(), str() if part in inside:
                inside = inside[part]
            case list(), int() if part < len(inside):
                inside = inside[part]
            case _:
                return []
    if isinstance(inside, dict):
        inside.pop(str(loc[-1]), None)
    return []
