"""A value that fits a JSON schema's shape, drawn from a seed.

Scores (numbers named like one, under a `scores` field, or bounded on both sides) follow the verdict drawn
for the whole request: the upper 40 % of their range when it accepts, the lower 40 % when not.
"""

import math
import re
from collections.abc import Mapping, Sequence

from tests.fake_provider.draw import Draw
from tests.fake_provider.replies import label, passage, sentence
from tests.fake_provider.request import Json

_SCORE = re.compile(r"scor|rating|grade|marks?$|points|quality|overall|confidence", re.IGNORECASE)
_PROSE = re.compile(r"text|content|message|utterance|body", re.IGNORECASE)
_LABEL = re.compile(r"title|name|topic|label|subject", re.IGNORECASE)
_YES = re.compile(r"^(accept(ed)?|pass(ed)?|yes|ok|good|keep|true)$", re.IGNORECASE)
_NO = re.compile(r"^(reject(ed)?|fail(ed)?|no|bad|drop|false)$", re.IGNORECASE)
_ROLES = ("role", "speaker")
_DEEPEST = 12
_FORMATS = {
    "date-time": "2030-01-02T03:04:05Z",
    "date": "2030-01-02",
    "time": "03:04:05Z",
    "email": "someone@example.org",
    "uri": "https://example.org/",
    "uuid": "6f1c2f7e-0d8a-4c55-9a51-2d6a2a3f7b10",
}


class Writer:
    """Fills one schema; `accepts` is the verdict that all its scores agree with."""

    def __init__(self, schema: Mapping[str, Json], draw: Draw, accepts: bool, seasoning: str = ""):
        self._schema = schema
        self._draw = draw
        self._accepts = accepts
        self._seasoning = seasoning

    def value(self) -> Json:
        """The value for the whole schema."""
        return self._value(self._schema, "", 0)

    def _value(self, schema: Json, name: str, depth: int) -> Json:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        options = schema.get("enum")
        if isinstance(options, list) and options:
            return self._choice(options, name)
        match _type(schema):
            case "object":
                return self._object(schema, name, depth)
            case "array":
                return self._array(schema, name, depth)
            case "integer" | "number" as kind:
                return self._number(schema, name, whole=kind == "integer")
            case "boolean":
                return self._accepts if _YES.match(name) else self._draw.unit() < 0.5
            case "null":
                return None
            case _:
                return self._text(schema, name)

    def _resolved(self, schema: Json) -> Mapping[str, Json]:
        """The schema with references followed, unions narrowed to one branch and allOf merged."""
        for _ in range(_DEEPEST):
            if not isinstance(schema, Mapping):
                return {}
            reference, union = schema.get("$ref"), schema.get("anyOf") or schema.get("oneOf")
            if isinstance(reference, str):
                schema = self._definition(reference)
            elif isinstance(union, list) and union:
                schema = next((one for one in union if not _is_null(one)), union[0])
            elif isinstance(parts := schema.get("allOf"), list):
                merged = {key: part for key, part in schema.items() if key != "allOf"}
                for part in parts:
                    merged |= self._resolved(part)
                schema = merged
            else:
                return schema
        return {}

    def _definition(self, reference: str) -> Json:
        place: Json = self._schema
        for step in reference.removeprefix("#").strip("/").split("/"):
            if step and isinstance(place, Mapping):
                place = place.get(step)
        return place

    def _object(self, schema: Mapping[str, Json], name: str, depth: int) -> Json:
        properties = schema.get("properties")
        if not isinstance(properties, Mapping):
            return {}
        required = schema.get("required")
        if depth >= _DEEPEST and isinstance(required, list):
            properties = {key: part for key, part in properties.items() if key in required}
        if depth >= 2 * _DEEPEST:
            return {}
        under_scores = name if _SCORE.search(name) else ""
        return {
            key: self._value(part, f"{under_scores}{key}", depth + 1)
            for key, part in properties.items()
        }

    def _array(self, schema: Mapping[str, Json], name: str, depth: int) -> Json:
        items = self._resolved(schema.get("items"))
        role = next((key for key in _ROLES if key in _properties(items)), None)
        count = self._length(schema, turns=role is not None, deep=depth >= _DEEPEST)
        values = [self._value(items, name, depth + 1) for _ in range(count)]
        if role is None:
            return values
        speakers = self._speakers(_properties(items)[role])
        return [
            {**value, role: speakers[place % len(speakers)]}
            for place, value in enumerate(values)
            if isinstance(value, Mapping)
        ]

    def _length(self, schema: Mapping[str, Json], turns: bool, deep: bool) -> int:
        low = _bound(schema.get("minItems"), 0 if deep else 4 if turns else 1)
        high = max(
            low, _bound(schema.get("maxItems"), low if deep else low + 4 if turns else low + 2)
        )
        count = self._draw.whole(low, min(high, low + 40))
        if turns and count % 2:
            count += 1 if count < high else -1 if count > low else 0
        return count

    def _speakers(self, schema: Json) -> tuple[Json, ...]:
        options = self._resolved(schema).get("enum")
        if not isinstance(options, list):
            return ("user", "assistant")
        speaking = [option for option in options if option not in ("system", "developer", "tool")]
        return tuple(sorted(speaking, key=lambda option: option != "user")) or tuple(options)

    def _choice(self, options: Sequence[Json], name: str) -> Json:
        numbers = sorted(
            o for o in options if isinstance(o, int | float) and not isinstance(o, bool)
        )
        if len(numbers) == len(options) and len(numbers) > 1:
            span = max(1, len(numbers) * 2 // 5)
            return self._draw.pick(numbers[-span:] if self._accepts else numbers[:span])
        wanted, other = (_YES, _NO) if self._accepts else (_NO, _YES)
        fitting = [option for option in options if wanted.match(str(option))]
        if fitting and any(other.match(str(option)) for option in options):
            return fitting[0]
        return self._draw.pick(options)

    def _number(self, schema: Mapping[str, Json], name: str, whole: bool) -> int | float:
        low = _limit(schema, "minimum", "exclusiveMinimum", 1 if whole else 0)
        high = _limit(schema, "maximum", "exclusiveMaximum", -1 if whole else 0)
        if _SCORE.search(name) or (low is not None and high is not None):
            low = (1.0 if whole else 0.0) if low is None else low
            high = low + (9.0 if whole else 1.0) if high is None else high
            fifth = (high - low) / 5
            low, high = (low + 3 * fifth, high) if self._accepts else (low, low + 2 * fifth)
        else:
            low = (high - 100 if high is not None else 0.0) if low is None else low
            high = low + 100 if high is None else high
        if not whole:
            return round(self._draw.real(low, high), 4)
        floor, ceiling = math.ceil(low - 1e-9), math.floor(high + 1e-9)
        return self._draw.whole(floor, max(floor, ceiling))

    def _text(self, schema: Mapping[str, Json], name: str) -> str:
        known = schema.get("format")
        if isinstance(known, str) and known in _FORMATS:
            return _FORMATS[known]
        if _PROSE.search(name):
            text = passage(self._draw, self._draw.whole(10, 35))
        else:
            text = label(self._draw) if _LABEL.search(name) else sentence(self._draw)
        text = season(text, self._seasoning)
        shortest = _bound(schema.get("minLength"), 0)
        while len(text) < shortest:
            text += " " + sentence(self._draw)
        return text[: _bound(schema.get("maxLength"), len(text))]


def season(text: str, seasoning: str) -> str:
    """The text with the seasoning after its first word and at its end."""
    return text.replace(" ", f"{seasoning} ", 1) + seasoning if seasoning else text


def _type(schema: Mapping[str, Json]) -> Json:
    named = schema.get("type")
    if isinstance(named, list):
        return next((one for one in named if one != "null"), "null")
    if named is None:
        return "object" if "properties" in schema else "array" if "items" in schema else "string"
    return named


def _is_null(schema: Json) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "null"


def _properties(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    properties = schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _bound(limit: Json, otherwise: int) -> int:
    return limit if isinstance(limit, int) and limit >= 0 else otherwise


def _limit(schema: Mapping[str, Json], closed: str, opened: str, step: int) -> float | None:
    if isinstance(limit := schema.get(closed), int | float):
        return float(limit)
    if isinstance(limit := schema.get(opened), int | float):
        return float(limit) + step
    return None
