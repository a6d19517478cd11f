"""What an export is asked to hold, and in which form. Pure."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, StringConstraints, model_validator

from convo_gateway.shapes.conversation_filter import ConversationFilter
from convo_gateway.shapes.counts import Input

SplitName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,29}$")]
Text = StringConstraints(max_length=200, pattern=r"^[^\x00]*$")
Share = Annotated[float, Field(gt=0, le=1)]
Status = Literal["accepted", "rejected", "failed", "cancelled", "open"]
STATUSES: tuple[Status, ...] = ("accepted", "rejected", "failed", "cancelled", "open")


class ExportSource(Input):
    """Where an export takes conversations from: exactly one of a run, a filter and a saved view."""

    model_config = ConfigDict(strict=False)

    run: Annotated[str, Text] | None = None
    """Id of a run."""
    filter: ConversationFilter | None = None
    """What a filter of the corpus shows."""
    view: Annotated[str, Text] | None = None
    """Id or name of a saved view; what it shows now is what the export holds, whatever becomes of the view."""
    verdict_set: Annotated[str, Text] | None = None
    """With a run: id or name of one of its verdict sets, whose verdicts count instead of the record."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [name for name in ("run", "filter", "view") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("name exactly one of run, filter and view")
        if self.verdict_set is not None and self.run is None:
            raise ValueError("a verdict set belongs to a run: name the run")
        return self


class ExportOptions(Input):
    """How an export is made. The same conversations and the same options give the same bytes."""

    model_config = ConfigDict(strict=False)

    format: Annotated[str, Text] = "messages"
    """Name of a format, such as ``messages`` or ``parquet``."""
    statuses: tuple[Status, ...] | None = Field(None, min_length=1)
    """Which conversations; None: the accepted ones of a run, and all that a filter shows."""
    splits: dict[SplitName, Share] = Field({"train": 1.0}, min_length=1, max_length=20)
    """Split to its share; the shares add up to 1."""
    split_by: Literal["seed_group", "conversation"] = "seed_group"
    """What stays together: all near siblings, or each conversation alone."""
    split_seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    """Another number makes other splits."""
    reviews: Literal["all", "not_flagged", "approved"] = "all"
    """``not_flagged`` leaves out what a person flagged or rejected; ``approved`` keeps only what a person accepted."""
    text: Literal["edited", "original"] = "edited"
    """Which text of turns that a person changed."""
    pairs: Literal["shared_opening", "whole"] = "shared_opening"
    """Preference pairs: siblings that begin alike, or any siblings, compared as a whole."""
    zstd: bool = False
    """Compress the data files."""
    bom: bool = False
    """CSV: begin with a byte order mark, for spreadsheets."""
    license: Annotated[str, Text] = ""
    """Licence that the card names, such as ``cc-by-4.0``; empty: none."""

    @model_validator(mode="after")
    def _shares_add_up(self) -> Self:
        if abs(sum(self.splits.values()) - 1) > 1e-6:
            raise ValueError(
                f"the shares of the splits add up to {sum(self.splits.values()):g}, not 1"
            )
        return self

    def chosen(self) -> tuple[Status, ...]:
        """The statuses without repeats, in one order; empty where none were named."""
        return tuple(status for status in STATUSES if status in (self.statuses or ()))


class ExportWish(Input):
    """An export that somebody asks for."""

    model_config = ConfigDict(strict=False)

    name: Annotated[str, StringConstraints(max_length=500, pattern=r"^[^\x00]*$")] = ""
    """What people call it; empty: named after what it is taken from."""
    source: ExportSource
    options: ExportOptions = ExportOptions()
