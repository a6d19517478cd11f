"""Saved views of the corpus."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from convo_gateway.shapes.conversation_filter import ConversationFilter, ConversationSort
from convo_gateway.shapes.counts import Input, Shape

ColumnId = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,30}$")]
Density = Literal["comfortable", "compact"]


class ViewWanted(Input):
    """A list of the corpus under a name: what it shows, in which order, and how it looks."""

    name: Annotated[
        str,
        StringConstraints(
            strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[^\x00]*$"
        ),
    ]
    filter: ConversationFilter = ConversationFilter()
    sort: ConversationSort = "-created"
    columns: list[ColumnId] = Field(default_factory=list, max_length=30)
    """Columns in order; empty for those that are shown to everybody."""
    density: Density = "comfortable"


class SavedView(Shape):
    """A view as it is kept."""

    id: str
    name: str
    version: int
    """From 1; a change names the version that it is based on (``If-Match``)."""
    filter: ConversationFilter
    sort: ConversationSort
    columns: list[str]
    density: Density
    created_at: datetime
    changed_at: datetime


class SavedViews(Shape):
    """All of them, by name."""

    items: list[SavedView]
