"""The Arrow schema of exports, spelled out, so that no column gets its type from what happens to be in it."""

from collections.abc import Sequence

import pyarrow as pa

from convo_gateway.exports.columns import COLUMNS, HIT, REVIEW, SCORE, WITH_ORIGIN, Column, Kind
from convo_gateway.exports.examples import Example, chat, without_halves

_TEXT, _WHOLE, _NUMBER = pa.string(), pa.int64(), pa.float64()
_TIME = pa.timestamp("us", tz="UTC")
_PARTS = {
    **dict.fromkeys((*HIT, *SCORE, *REVIEW), _TEXT),
    "layer": _WHOLE,
    "turn": _WHOLE,
    "similarity": _NUMBER,
    "score": _NUMBER,
    "version": _WHOLE,
    "edited_turns": pa.list_(_WHOLE),
    "at": _TIME,
}


def _struct(names: Sequence[str]) -> pa.DataType:
    return pa.struct([(name, _PARTS[name]) for name in names])


TYPES: dict[Kind, pa.DataType] = {
    "text": _TEXT,
    "whole": _WHOLE,
    "number": _NUMBER,
    "flag": pa.bool_(),
    "time": _TIME,
    "hit": _struct(HIT),
    "hits": pa.list_(_struct(HIT)),
    "scores": pa.list_(_struct(SCORE)),
    "reviews": pa.list_(_struct(REVIEW)),
    "names": pa.list_(_TEXT),
}
MESSAGES = pa.list_(pa.struct([("role", _TEXT), ("content", _TEXT)]))


def schema_of(columns: Sequence[Column]) -> pa.Schema:
    """The messages, and these columns."""
    fields = (pa.field(one.name, TYPES[one.kind]) for one in columns)
    return pa.schema([pa.field("messages", MESSAGES), *fields])


def is_schema(schema: pa.Schema) -> bool:
    """Whether it is that of an export, with imports or without."""
    return any(schema.equals(schema_of(columns)) for columns in (COLUMNS, WITH_ORIGIN))


def table_of(examples: Sequence[Example], columns: Sequence[Column]) -> pa.Table:
    """Conversations as a table of that schema, also where there are none, or one, or only nulls."""
    schema = schema_of(columns)
    arrays: list[pa.Array] = []
    for field in schema:
        values = [
            chat(one.messages) if field.name == "messages" else one.metadata[field.name]
            for one in examples
        ]
        try:
            arrays.append(pa.array(values, type=field.type))
        except UnicodeEncodeError:
            arrays.append(pa.array([without_halves(value) for value in values], type=field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def features(columns: Sequence[Column]) -> list[dict[str, object]]:
    """The columns as the front matter of a card names them."""
    return [_feature(field.name, field.type) for field in schema_of(columns)]


def _feature(name: str, kind: pa.DataType) -> dict[str, object]:
    if pa.types.is_struct(kind):
        return {"name": name, "struct": [_feature(one.name, one.type) for one in kind]}
    if pa.types.is_list(kind):
        inner = kind.value_type
        if pa.types.is_struct(inner):
            return {"name": name, "list": [_feature(one.name, one.type) for one in inner]}
        return {"name": name, "list": _dtype(inner)}
    return {"name": name, "dtype": _dtype(kind)}


def _dtype(kind: pa.DataType) -> str:
    names = {pa.float64(): "float64", pa.bool_(): "bool"}
    return names.get(kind, str(kind))
