"""Where the objects come from that a run config names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from convo_events.catalog import CatalogObject, RunConfig
from convo_gateway.catalog.checks.findings import called_roles
from convo_gateway.catalog.documents import Named, kind_of


class Lookup(Protocol):
    """Where named objects come from."""

    def __call__(self, kind: str, name: str, /) -> tuple[CatalogObject, int] | None:
        """The latest version of an object and its number; None where there is none of that name."""


class Names(Protocol):
    """Which names there are."""

    def __call__(self, kind: str, /) -> Sequence[str]:
        """Names of a kind, to find one that was meant; not all of them where there are very many."""


def _none(_kind: str, /) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Sources:
    """What is known of the catalog."""

    lookup: Lookup
    names: Names = _none
    archived: frozenset[tuple[str, str]] = field(default=frozenset())
    """Kind and name of objects that are hidden from lists."""
    whole: bool = True
    """Whether what is not found is nowhere; else nobody could look into the catalog."""


def sources_in(objects: Iterable[Named]) -> Sources:
    """Objects at hand, each in version 1."""
    known = {(kind_of(item), item.name): item for item in objects}

    def look(kind: str, name: str, /) -> tuple[CatalogObject, int] | None:
        item = known.get((kind, name))
        return None if item is None else (item, 1)

    def names(kind: str, /) -> Sequence[str]:
        return [name for other, name in known if other == kind]

    return Sources(look, names)


def references(config: RunConfig) -> set[tuple[str, str]]:
    """Kind and name of everything that a config names."""
    return {
        ("prompt-sets", config.prompt_set),
        *(("personas", entry.name) for entry in config.personas),
        *(("voices", entry.name) for entry in config.voices),
        *(("pools", name) for name in config.pools),
        *(("filter-lists", name) for name in config.filter_lists),
        *(("backends", called.role.backend) for called in called_roles(config)),
    }
