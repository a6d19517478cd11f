"""What the catalog knows of everything that a run config names, read at one moment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from convo_events.catalog import RunConfig
from convo_events.store import Connection
from convo_gateway.catalog import store
from convo_gateway.catalog.checks.sources import Sources, references
from convo_gateway.catalog.rule_settings import Schema
from convo_gateway.reads.rules import announced_rules

_MOST_NAMES = 2_000
"""Names of a kind among which the one is looked for that was meant."""


async def sources_for(c: Connection, config: RunConfig) -> Sources:
    """Objects, those of them that are archived, and names of the kinds of which one is missing."""
    named = sorted(references(config))
    lookup = await store.lookup_for(c, config)
    missing = {kind for kind, name in named if lookup(kind, name) is None}
    rows = await c.fetch(
        """
        select kind, name from (
            select kind, name, row_number() over (partition by kind order by name) as place
            from catalog_object where kind = any($1) and not archived and latest > 0
        ) listed where place <= $2
        """,
        sorted(missing),
        _MOST_NAMES,
    )
    known: dict[str, list[str]] = {}
    for row in rows:
        known.setdefault(row["kind"], []).append(row["name"])

    def names(kind: str, /) -> Sequence[str]:
        return known.get(kind, ())

    archived = await c.fetch(
        "select kind, name from catalog_object where archived "
        "and (kind, name) in (select * from unnest($1::text[], $2::text[]))",
        *([kind for kind, _ in named], [name for _, name in named]),
    )
    return Sources(lookup, names, frozenset((row["kind"], row["name"]) for row in archived))


@dataclass(frozen=True, slots=True)
class SavedConfig:
    """A run config of the catalog."""

    config: RunConfig
    version: int
    archived: bool


async def saved_config(c: Connection, name: str, version: int | None) -> SavedConfig:
    """A run config of the catalog; the latest version where none is asked for.

    Raises:
        NotFound: there is no such config, or not in that version.
    """
    if version is None:
        stored = await store.latest(c, "run-configs", name)
    else:
        stored = await store.version(c, "run-configs", name, version)
    assert isinstance(stored.item, RunConfig)
    return SavedConfig(stored.item, stored.version, stored.archived)


async def rule_schemas(c: Connection) -> Mapping[str, Schema] | None:
    """JSON schema of the parameters by rule; None before the filters have announced any."""
    rules = await announced_rules(c)
    return None if rules is None else {rule.reason: rule.parameters for rule in rules}
