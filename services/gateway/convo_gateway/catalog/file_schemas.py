"""JSON Schemas of catalog files, as editors read them: the fields of a kind and the key that names it. Pure."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from convo_events.catalog import KINDS
from convo_gateway.catalog.documents import SINGULAR

ANY = "any"
"""A file of any kind, or of several."""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@cache
def file_schema(kind: str) -> Mapping[str, Any]:
    """The schema of a document: an object of the kind, or ``items`` with a list of them.

    Args:
        kind: As in the paths of the API, or ``any``.
    """
    if kind == ANY:
        return _any_kind()
    shape = KINDS[kind].model_json_schema()
    definitions = shape.pop("$defs", {})
    word = SINGULAR[kind]
    names = {"kind": {"const": word, "description": f"What the document is: a {_spoken(word)}."}}
    one = {
        **shape,
        "properties": {**names, **shape["properties"]},
        "required": ["kind", *shape.get("required", ())],
    }
    many = {
        "title": f"{shape['title']} list",
        "type": "object",
        "properties": {
            **names,
            "items": {
                "type": "array",
                "items": {"$ref": f"#/$defs/{shape['title']}"},
                "description": f"Several of them: a list of objects, each a {_spoken(word)} without kind.",
            },
        },
        "required": ["kind", "items"],
        "additionalProperties": False,
    }
    return {
        "$schema": _DIALECT,
        "title": f"convo {_spoken(word)}",
        "description": shape.get("description", ""),
        # If and else give one clear error where oneOf would give those of both branches.
        "if": {"required": ["items"]},
        "then": many,
        "else": one,
        "$defs": {**definitions, shape["title"]: shape},
    }


def _any_kind() -> Mapping[str, Any]:
    schemas = {kind: dict(file_schema(kind)) for kind in KINDS}
    definitions: dict[str, Any] = {}
    for schema in schemas.values():
        definitions |= schema["$defs"]
    return {
        "$schema": _DIALECT,
        "title": "convo catalog file",
        "description": "A document of any kind; kind says which.",
        "type": "object",
        "properties": {"kind": {"enum": [SINGULAR[kind] for kind in KINDS]}},
        "required": ["kind"],
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": SINGULAR[kind]}}, "required": ["kind"]},
                "then": {key: schema[key] for key in ("if", "then", "else")},
            }
            for kind, schema in schemas.items()
        ],
        "$defs": definitions,
    }


def _spoken(word: str) -> str:
    return word.replace("-", " ")
