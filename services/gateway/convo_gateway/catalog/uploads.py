"""A file on its way into the catalog: its objects, and everything that keeps it out.

Reading is pure and takes long for a large YAML file, so that callers run it beside the event loop.
"""

from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from orjson import JSONDecodeError, loads

from convo_events.catalog import CatalogObject, RunConfig
from convo_events.errors import Invalid, Problem
from convo_events.store import Connection
from convo_gateway.catalog import store
from convo_gateway.catalog.documents import SINGULAR, Named, PlacedObject, read_placed
from convo_gateway.catalog.freeze import Lookup, freeze
from convo_gateway.catalog.naming import named_places
from convo_gateway.catalog.store_many import Encoded, encoded
from convo_gateway.catalog.yaml_text import read_trees
from convo_gateway.catalog.yaml_tree import FileProblem, Json, Path, Place, Tree

_MOST_FROZEN = 100
"""Run configs of a file that are tried whether a run could start from them."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """One object of a file."""

    item: Named
    encoded: Encoded
    places: dict[str, Place]
    """Of the whole (empty pointer), and of what a run config names and has."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was read."""

    objects: list[Uploaded]
    problems: list[Problem]


def read_yaml(content: bytes) -> Upload:
    """The objects of a YAML file with their places, and every problem."""
    return _upload(read_placed(read_trees(content, "")))


def read_lines(content: bytes) -> Upload:
    """The objects of a file with one JSON object a line, each with its kind, and every problem.

    It is read a hundred times faster than YAML.
    """
    trees: list[Tree] = []
    problems: list[Problem] = []
    for number, line in enumerate(content.removeprefix(BOM_UTF8).split(b"\n"), 1):
        if line.strip():
            try:
                value = loads(line)
            except JSONDecodeError as error:
                message = f"this line is no JSON: {error.msg.partition(': line')[0]}"
                problems.append(FileProblem(message, line=number, column=error.colno))
            else:
                place = Place(number, 1)
                trees.append(Tree(value, dict.fromkeys(_paths(value, ()), place)))
    return _upload(read_placed((trees, problems)))


def _paths(value: Json, at: Path) -> Iterator[Path]:
    """The path of a value and of everything in it."""
    yield at
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, (*at, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _paths(inner, (*at, number))


def _upload(read: tuple[list[PlacedObject], list[Problem]]) -> Upload:
    placed, problems = read
    objects = []
    for found in placed:
        pointers = [""]
        if isinstance(found.item, RunConfig):
            pointers += [f"/{field}" for field in RunConfig.model_fields]
            pointers += [named.pointer for named in named_places(found.item)]
        places = {at: found.place(at) for at in pointers}
        try:
            objects.append(Uploaded(found.item, encoded(found.item), places))
        except Invalid as error:
            problems += [_placed(p.message, p.pointer, places) for p in error.problems]
    return Upload(objects, problems)


async def dangling(connection: Connection, objects: Sequence[Uploaded]) -> list[Problem]:
    """Names in run configs that lead neither into the file nor into the catalog."""
    here = {(one.encoded.kind, one.encoded.name) for one in objects}
    named = [
        (one, place)
        for one in objects
        if isinstance(one.item, RunConfig)
        for place in named_places(one.item)
        if (place.kind, place.name) not in here
    ]
    known = await store.existing(connection, {(place.kind, place.name) for _, place in named})
    return [
        _placed(
            f'there is no {SINGULAR[place.kind]} "{place.name}" in the file or in the catalog',
            place.pointer,
            one.places,
        )
        for one, place in named
        if (place.kind, place.name) not in known
    ]


async def lookup_over(connection: Connection, objects: Sequence[Uploaded]) -> Lookup:
    """A lookup that finds the file's objects first, then the catalog's."""
    here = {(one.encoded.kind, one.encoded.name): one.item for one in objects}
    configs = [one.item for one in objects if isinstance(one.item, RunConfig)][:_MOST_FROZEN]
    named = {(p.kind, p.name) for config in configs for p in named_places(config)}
    stored = await store.latest_of(connection, named - set(here))

    def look(kind: str, name: str, /) -> tuple[CatalogObject, int] | None:
        if (kind, name) in here:
            return here[kind, name], 1
        found = stored.get((kind, name))
        return None if found is None else (found.item, found.version)

    return look


def unstartable(objects: Collection[Uploaded], lookup: Lookup) -> list[Problem]:
    """Why no run could start from the run configs of a file as they are. Pure."""
    warnings: list[Problem] = []
    configs = [(one.item, one.places) for one in objects if isinstance(one.item, RunConfig)]
    for config, places in configs[:_MOST_FROZEN]:
        try:
            freeze(config, 1, lookup)
        except Invalid as error:
            warnings += [
                _placed(f"run config {config.name}: {p.message}", p.pointer, places)
                for p in error.problems
            ]
    return warnings


def _placed(message: str, at: str, places: dict[str, Place]) -> FileProblem:
    """A problem at the nearest place that is known."""
    near = at
    while near not in places and near:
        near = near.rpartition("/")[0]
    place = places.get(near, Place(1, 1))
    return FileProblem(message, at, place.line, place.column)
