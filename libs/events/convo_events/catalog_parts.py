"""What catalog objects are made of: names, texts, shares, and the model that plays a role."""

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
"""Lower-case letters, digits, dots, dashes and underscores; at most 100."""
Text = Annotated[str, Field(min_length=1, max_length=50_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(gt=0, le=1_000_000)]


class CatalogObject(BaseModel):
    """What all catalog objects are: frozen and strict."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class RoleModel(CatalogObject):
    """Which model plays a role, and how it samples."""

    backend: Name
    model: str
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=200_000)] = 512
    """Longest answer. Also the bound of what a call can cost."""
    send_seed: bool = True
    """Send the plan's seed with the call."""
    accept_finish: tuple[Literal["stop", "length"], ...] = ("stop",)
    """Finish reasons whose text is kept. ``length`` outside of it goes to the rule ``truncated``."""


class Misfit(NamedTuple):
    """A part of a run config that does not go with the others."""

    message: str
    """What is wrong, and what to do."""
    pointer: str
    """JSON pointer into the config."""
    rests_on: tuple[str, ...]
    """Pointers of what has to be valid for this to be said."""
