"""The shape every recorded fact has: frozen, strict about names, and documented field by field."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Micro = int
"""Millionths of a US dollar. Unknown is None, never 0."""

Utc = datetime
"""A moment with its offset; always written in UTC."""

Count = Annotated[int, Field(ge=0, lt=2**31)]
"""A whole number, from 0, that a four-byte column holds."""

RunId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$")]
"""A run's id: safe in subjects, paths and database columns, and without the dot that conversation ids are split at."""


class Fact(BaseModel):
    """A value that never changes once made; readers ignore fields they do not know."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)
