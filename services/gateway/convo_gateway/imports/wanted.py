"""The import that a run of mode ``import`` is to read."""

from convo_events.catalog import RunConfig
from convo_events.errors import Invalid, NotFound, Problem
from convo_events.snapshot import ImportSource
from convo_events.store import Connection
from convo_gateway.imports.sources import one_import

__all__ = ["rows_wanted", "source_wanted"]

_AT = "/import_source"


async def source_wanted(
    c: Connection, config: RunConfig, wanted: str | None
) -> ImportSource | None:
    """The source as a run freezes it; None for a config that makes its conversations itself.

    Raises:
        Invalid: where the config and the import do not go together, or the import cannot be used.
    """
    if config.generates:
        if wanted is not None:
            message = f"mode {config.mode} makes its conversations itself: leave import_source out"
            raise Invalid([Problem(message, _AT)])
        return None
    if wanted is None:
        raise Invalid([Problem("mode import reads an import: say which one", _AT)])
    try:
        found = await one_import(c, wanted)
    except NotFound as error:
        raise Invalid([Problem(str(error), _AT)]) from error
    if found.status != "ready" or found.sha256 is None:
        reading = "it is still being read; wait until it is ready"
        why = reading if found.status == "reading" else f"it is broken: {found.detail}"
        raise Invalid([Problem(f"{found.name} cannot be used: {why}", _AT)])
    return ImportSource(
        id=found.id,
        name=found.name,
        sha256=found.sha256,
        count=found.taken,
        turns=found.turns,
        characters=found.characters,
    )


def rows_wanted(source: ImportSource, config: RunConfig, target: int | None) -> int:
    """How many conversations a run takes, from the first one on.

    Args:
        source: What it reads.
        config: The config, whose target is the most that a run takes.
        target: What was asked for instead; None where nothing was.

    Raises:
        Invalid: where more are asked for than there are.
    """
    if target is None:
        return min(source.count, config.target_count)
    if target > source.count:
        message = f"{target:,} are more than the {source.count:,} conversations of {source.name}"
        raise Invalid([Problem(message, "/target_count")])
    return target
