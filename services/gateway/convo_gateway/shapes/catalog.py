"""Catalog objects in lists and one by one."""

from datetime import datetime
from typing import Generic, TypeVar

from pydantic import JsonValue

from convo_events.catalog import CatalogObject
from convo_gateway.shapes.counts import Shape

Item = TypeVar("Item", bound=CatalogObject)
Headline = dict[str, str | int | float | list[str] | None]


class CatalogEntry(Shape):
    """A version of an object, in short."""

    kind: str
    name: str
    version: int
    note: str
    """Why it was changed, in the words of whoever changed it."""
    created_at: datetime
    """When this version was written."""
    archived: bool
    headline: Headline
    """What tells objects of this kind apart, such as mode and target count of a run config."""
    body: dict[str, JsonValue] | None = None
    """The object as it was written; in lists only where it is asked for."""


class CatalogPage(Shape):
    """Objects by name, or versions of one, newest first."""

    items: list[CatalogEntry]
    next_cursor: str | None


class CatalogItem(Shape, Generic[Item]):
    """One version of an object, whole."""

    kind: str
    name: str
    version: int
    note: str
    created_at: datetime
    archived: bool
    headline: Headline
    body: Item
    """The object as it was written."""
