"""What a shape found wrong, in words: pydantic's errors as problems with what was found and what was expected."""

import difflib
from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from convo_events.catalog import CatalogObject
from convo_gateway.catalog.yaml_tree import FileProblem, Json, Path, Tree, pointer

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "decimal_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping of names to values",
    "model_type": "a mapping of names to values",
    "model_attributes_type": "a mapping of names to values",
}
_NAME_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,99}$"
_FORMS = {
    "base_url": "a URL that begins with http:// or https:// and has no user info, or ${NAME}",
    "key_env": "the name of an environment variable in capitals, such as OPENAI_API_KEY",
}
_NEVER_SHOWN = {"key_env", "base_url"}
"""Fields into which people paste keys by mistake; an error must not repeat them."""


def problems_of(
    error: ValidationError, shape: type[CatalogObject], tree: Tree, at: Path, file: str
) -> list[FileProblem]:
    """Every error of a validation as a problem with its place.

    Args:
        error: What the shape raised.
        shape: The shape that was tried.
        tree: The document.
        at: Path of the object in the document.
        file: Name of the file.
    """
    found: dict[Path, FileProblem] = {}
    for detail in error.errors(include_url=False, include_context=True):
        if detail["type"] == "too_short" and _only_bad_entries(tree, at, detail):
            continue
        path, inside = _resolve(tree, at, detail["loc"], missing=detail["type"] == "missing")
        place = tree.place(path)
        if detail["type"] == "extra_forbidden":
            place = tree.key_place(path)
        # An error below what the file has comes from the alternatives of one value: one problem is enough.
        if path not in found:
            message = _UNION if inside else _message(detail, shape, tree, at, path)
            found[path] = FileProblem(message, pointer(path), place.line, place.column, file)
    return list(found.values())


def said_of(error: ValidationError) -> Iterator[tuple[str, str]]:
    """Every error of an object that is no document: the field, and what is wrong with it."""
    for detail in error.errors(include_url=False, include_context=True):
        place = detail["loc"]
        name = str(place[0]) if place else ""
        if detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]:
            continue  # the list counts as too short only because its entries have errors of their own
        if detail["type"] == "missing":
            yield name, "is missing"
            continue
        if detail["type"] == "value_error":
            yield name, str(detail["ctx"]["error"])
            continue
        found = _found(name, detail["input"])
        nth = "".join(f" {part + 1}" for part in place[1:] if isinstance(part, int))
        yield name, f"{f'entry{nth}: ' if nth else ''}{found}, expected {_expected(name, detail)}"


_UNION = "expected true, false, a number, text or a list of texts"


def _resolve(tree: Tree, at: Path, loc: Path, *, missing: bool) -> tuple[Path, bool]:
    """The path of an error in the document, and whether the error names something below the last value there."""
    path = at
    for step, part in enumerate(loc):
        longer = (*path, part)
        if longer in tree.values:
            path = longer
        elif missing and step == len(loc) - 1:
            return longer, False
        else:
            return path, part != "[key]"
    return path, False


def _message(
    detail: ErrorDetails, shape: type[CatalogObject], tree: Tree, at: Path, path: Path
) -> str:
    key = str(path[-1]) if path else ""
    match detail["type"]:
        case "missing":
            return f'"{key}" is missing'
        case "extra_forbidden":
            model = _model_at(shape, path[len(at) : -1])
            return f'unknown key "{key}"{suggestion(key, list(model.model_fields))}'
        case "value_error":
            return str(detail["ctx"]["error"])
    value = _value_at(tree.value, path)
    quote = detail["type"] == "string_type" and isinstance(value, bool | int | float)
    hint = ": put it in quotes" if quote else ""
    return f"{_found(key, value)}, expected {_expected(key, detail)}{hint}"


def _only_bad_entries(tree: Tree, at: Path, detail: ErrorDetails) -> bool:
    """Whether a list counts as too short only because its entries have errors of their own."""
    value = _value_at(tree.value, (*at, *detail["loc"]))
    return isinstance(value, list) and len(value) >= detail["ctx"]["min_length"]


def suggestion(word: str, known: list[str]) -> str:
    """``; did you mean "x"?``, or the words there are."""
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if near:
        return f'; did you mean "{near[0]}"?'
    return f"; there is {', '.join(sorted(known)[:20])}" if known else ""


def _expected(key: str, detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    match kind:
        case "string_pattern_mismatch" if context["pattern"] == _NAME_PATTERN:
            return "lower-case letters, digits, dots, dashes and underscores, at most 100"
        case "string_pattern_mismatch":
            return _FORMS.get(key, f"text that fits {context['pattern']}")
        case "literal_error":
            return str(context["expected"])
        case "too_short":
            return f"at least {context['min_length']}"
        case "too_long":
            return f"at most {context['max_length']}"
    message = detail["msg"].removeprefix("Input should be ").removeprefix("String should have ")
    return _EXPECTED.get(kind, message[:1].lower() + message[1:])


def _found(key: str, value: Json) -> str:
    if key in _NEVER_SHOWN:
        return "found a value that is not shown here, as it may hold a key"
    match value:
        case None:
            return "found nothing"
        case bool():
            return f"found {str(value).lower()}"
        case int() | float():
            return f"found the number {str(value)[:40]}"
        case str():
            start = " ".join(value[:60].split())
            return f'found the text "{start}{"…" if len(value) > 60 else ""}"'
        case list():
            return f"found a list of {len(value)}"
        case _:
            return "found a mapping"


def _value_at(value: Json, path: Path) -> Json:
    for part in path:
        if isinstance(value, dict):
            value = value[str(part)]
        elif isinstance(value, list):
            value = value[int(part)]
    return value


def _model_at(model: type[BaseModel], path: Path) -> type[BaseModel]:
    """The model that a path leads to; lists and mappings on the way have one model at most."""
    for part in path:
        if isinstance(part, str) and part in model.model_fields:
            model = next(_models(model.model_fields[part].annotation), model)
    return model


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
