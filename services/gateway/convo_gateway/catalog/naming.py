"""What a run config names, and where. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from convo_events.catalog import RoleModel, Roles, RunConfig


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place that names an object of the catalog."""

    kind: str
    name: str
    pointer: str
    """JSON pointer into the config."""


def named_places(config: RunConfig) -> Iterator[NamedPlace]:
    """Every place of a config that names an object, in the order of its fields."""
    yield NamedPlace("prompt-sets", config.prompt_set, "/prompt_set")
    for at, entry in enumerate(config.personas):
        yield NamedPlace("personas", entry.name, f"/personas/{at}/name")
    for at, entry in enumerate(config.voices):
        yield NamedPlace("voices", entry.name, f"/voices/{at}/name")
    for at, name in enumerate(config.pools):
        yield NamedPlace("pools", name, f"/pools/{at}")
    for at, name in enumerate(config.filter_lists):
        yield NamedPlace("filter-lists", name, f"/filter_lists/{at}")
    for field in Roles.model_fields:
        role = getattr(config.roles, field)
        if isinstance(role, RoleModel):
            yield NamedPlace("backends", role.backend, f"/roles/{field}/backend")
    for seat, judge in enumerate(config.judge.panel if config.judge else ()):
        yield NamedPlace("backends", judge.backend, f"/judge/panel/{seat}/backend")


def naming_patterns(kind: str, name: str) -> list[dict[str, object]]:
    """JSON of which a run config contains at least one where it names the object; empty for what no config names."""
    match kind:
        case "prompt-sets":
            return [{"prompt_set": name}]
        case "personas" | "voices":
            return [{kind: [{"name": name}]}]
        case "pools" | "filter-lists":
            return [{kind.replace("-", "_"): [name]}]
        case "backends":
            seats: list[dict[str, object]] = [{"judge": {"panel": [{"backend": name}]}}]
            return seats + [{"roles": {role: {"backend": name}}} for role in Roles.model_fields]
        case _:
            return []
