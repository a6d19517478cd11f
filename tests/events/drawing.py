"""Hypothesis draws facts from their own field declarations, so a new field is drawn without being listed here."""

from datetime import UTC, datetime, timedelta
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Lt
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
_MOMENTS = st.integers(0, 2**42).map(
    lambda number: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(milliseconds=number)
)


def facts(kind: type[BaseModel]) -> st.SearchStrategy[Any]:
    """Any value of a fact class."""
    return st.builds(kind, **{n: _field(f) for n, f in kind.model_fields.items()})


def _field(field: FieldInfo) -> st.SearchStrategy[Any]:
    if any(getattr(rule, "pattern", None) for rule in field.metadata):
        return st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,30}", fullmatch=True)
    low = next((rule.ge for rule in field.metadata if isinstance(rule, Ge)), -(2**62))
    high = next((rule.lt for rule in field.metadata if isinstance(rule, Lt)), 2**62)
    return _value(field.annotation, st.integers(low, high - 1))


def _value(kind: Any, whole: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, UnionType):
        return st.one_of(*(_value(part, whole) for part in parts))
    if origin is tuple:
        return st.lists(_value(parts[0], whole), max_size=3).map(tuple)
    if origin is Annotated:
        return _value(parts[0], st.integers(0, 2**31 - 1))
    if origin is dict:
        return st.dictionaries(TEXT, TEXT | st.integers(0, 9) | st.booleans(), max_size=3)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return facts(kind)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: TEXT,
        bool: st.booleans(),
        int: whole,
        float: st.floats(allow_nan=False, allow_infinity=False),
        datetime: _MOMENTS,
        NoneType: st.none(),
    }
    return plain[kind]
