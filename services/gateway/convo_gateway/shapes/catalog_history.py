"""What happened to a catalog object, and who names it: comparisons, restored versions, uses, the archive."""

from typing import Annotated, Generic, Literal

from pydantic import ConfigDict, Field, JsonValue

from convo_gateway.shapes.catalog import CatalogItem, Item
from convo_gateway.shapes.counts import Input, Shape


class FieldChange(Shape):
    """One place in which two versions differ."""

    pointer: str = Field(examples=["/roles/judge/model"])
    """JSON pointer (RFC 6901) into the object. Places in a list are numbered as in the version that has them: in the
    newer one for ``added`` and ``changed``, in the older one for ``removed``."""
    op: Literal["added", "removed", "changed"]
    before: JsonValue = None
    """What the older version says; null where the place was added."""
    after: JsonValue = None
    """What the newer version says; null where the place was removed."""


class Comparison(Shape):
    """Two versions of an object, and how they differ."""

    kind: str
    name: str
    from_version: int
    to_version: int
    changes: list[FieldChange]
    """In the order of the fields; applied to one version they give the other."""
    before_yaml: str
    """The older version as a YAML file, for a diff by lines."""
    after_yaml: str


class Restore(Input):
    """A version to write again, as the newest one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 3, "note": "as before"}]})

    version: Annotated[int, Field(ge=1, lt=2**31)]
    note: Annotated[str, Field(max_length=500)] = ""
    """Why, for people; empty: that it was restored, and from which version."""


class RestoredItem(CatalogItem[Item], Generic[Item]):
    """The latest version after a restore."""

    changed: bool
    """False where the latest version had this content already, and no new one was made."""


class Use(Shape):
    """A place where an object is named."""

    kind: str
    name: str
    version: int
    """The latest version of what names it."""
    pointer: str = Field(examples=["/personas/0/name"])
    """JSON pointer to the name."""


class Uses(Shape):
    """Who names an object."""

    items: list[Use]
    """In the latest versions of what is not archived."""
    runs: int | None
    """Runs whose frozen config is this one, or names this object. Null where that is not known."""
    unfinished_runs: int | None
    """Those of them that have not ended. They go on with what they froze, whatever becomes of the object."""


class ArchiveState(Shape):
    """An object that was archived, or taken back out."""

    kind: str
    name: str
    version: int
    archived: bool
    changed: bool
    """False where it was so before."""
    uses: Uses
    """What goes on naming it: archiving hides an object, and breaks nothing."""
