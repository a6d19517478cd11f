"""Catalog objects as YAML documents: read with every problem at once, written so that reading gives them back.

A file holds one or many documents. A document names its ``kind`` and has the fields of that kind, or it has ``kind``
and ``items``, a list of such objects.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from json import dumps
from pathlib import Path as FilePath

from pydantic import ValidationError

from convo_events.catalog import (
    KINDS,
    Backend,
    CatalogObject,
    FilterList,
    Persona,
    Pool,
    PromptSet,
    RunConfig,
    Voice,
)
from convo_events.errors import Invalid, Problem
from convo_gateway.catalog.explain import problems_of, suggestion
from convo_gateway.catalog.yaml_text import MAX_BYTES, read_trees
from convo_gateway.catalog.yaml_tree import FileProblem, Json, Path, Place, Tree, pointer
from convo_gateway.catalog.yaml_writer import written


@dataclass(frozen=True, slots=True)
class PlacedBody:
    """The fields of an object as they are written, and where they stand."""

    shape: type[CatalogObject]
    fields: Json
    tree: Tree
    path: Path
    """Path of the object in the document."""
    file: str

    def place(self, at: str) -> Place:
        """Where the value at a JSON pointer into the object stands, or the nearest thing around it."""
        path = self.path
        for part in at.split("/")[1:]:
            plain = part.replace("~1", "/").replace("~0", "~")
            inner = next(
                (p for p in ((*path, plain), (*path, _index(plain))) if p in self.tree.values), None
            )
            if inner is None:
                break
            path = inner
        return self.tree.place(path)


@dataclass(frozen=True, slots=True)
class PlacedObject(PlacedBody):
    """An object and where it stands in its file."""

    item: "Named"


def _index(part: str) -> int:
    return int(part) if part.isdigit() and len(part) < 10 else -1


Named = Persona | Voice | Pool | FilterList | PromptSet | Backend | RunConfig
"""The objects that the catalog keeps."""

SINGULAR = {kind: kind.removesuffix("s") for kind in KINDS}
"""Kind as in the API's paths to the word that a document uses: ``personas`` to ``persona``."""
_PLURAL = {word: kind for kind, word in SINGULAR.items()}
_MOST_PROBLEMS = 200


def kind_of(item: CatalogObject) -> str:
    """The kind of an object, as it stands in the API's paths.

    Raises:
        TypeError: for a part of an object, which the catalog does not keep by itself.
    """
    for kind, shape in KINDS.items():
        if isinstance(item, shape):
            return kind
    raise TypeError(f"{type(item).__name__} is no catalog object of its own")


def read(content: bytes, file: str = "") -> list[Named]:
    """The objects of a YAML file, in its order.

    Raises:
        Invalid: with every problem of the file, each with line and column.
    """
    found = _Found()
    found.add(content, file)
    return found.result()


def read_placed(
    read: tuple[list[Tree], list[Problem]],
) -> tuple[list[PlacedObject], list[Problem]]:
    """The objects of documents that are right, each with its place, and every problem of the others.

    Args:
        read: The documents of one file, and what was wrong with them already.
    """
    found = _Found()
    found.add_trees(*read, "")
    return found.placed, found.problems[:_MOST_PROBLEMS]


def read_file(path: FilePath) -> list[Named]:
    """The objects of a file.

    Raises:
        Invalid: with every problem, or where the file cannot be read.
    """
    return read_files([path])


def read_folder(path: FilePath) -> list[Named]:
    """The objects of all ``.yaml`` and ``.yml`` files below a folder, in the order of their paths.

    Raises:
        Invalid: with every problem of every file, or where the folder has none.
    """
    files = yaml_files(path)
    if not files:
        raise Invalid([FileProblem("there is no .yaml file in this folder", file=str(path))])
    return read_files(files)


def yaml_files(path: FilePath) -> list[FilePath]:
    """The files below a folder in the order of their paths; a file is itself."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in {".yaml", ".yml"})


def read_as_far(paths: Iterable[FilePath]) -> tuple[list[PlacedBody], list[Problem]]:
    """Everything that several files hold, also what is no valid object, and every problem."""
    found = _found_in(paths)
    return [*found.placed, *found.unfit], found.problems[:_MOST_PROBLEMS]


def read_files(paths: Iterable[FilePath]) -> list[Named]:
    """The objects of several files, read as one: a name may stand once in all of them.

    Raises:
        Invalid: with every problem of every file.
    """
    return _found_in(paths).result()


def _found_in(paths: Iterable[FilePath]) -> "_Found":
    found = _Found()
    for path in paths:
        try:
            with path.open("rb") as opened:
                content = opened.read(MAX_BYTES + 1)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            found.problems.append(FileProblem(f"cannot be read: {reason}", file=str(path)))
        else:
            found.add(content, str(path))
    return found


class _Found:
    """Objects and problems of the files read so far."""

    def __init__(self) -> None:
        self.placed: list[PlacedObject] = []
        self.unfit: list[PlacedBody] = []
        self.problems: list[Problem] = []
        self._places: dict[tuple[str, str], str] = {}

    def result(self) -> list[Named]:
        if self.problems:
            raise Invalid(self.problems[:_MOST_PROBLEMS])
        return [placed.item for placed in self.placed]

    def add(self, content: bytes, file: str) -> None:
        """Read one more file; its problems come in the order of its lines."""
        self.add_trees(*read_trees(content, file), file)

    def add_trees(self, trees: list[Tree], syntax: list[Problem], file: str) -> None:
        """Take the documents of one more file."""
        before, self.problems = self.problems, list(syntax)
        for tree in trees:
            self._document(tree, file)
        self.problems = before + sorted(self.problems, key=lambda p: (p.line or 0, p.column or 0))

    def _document(self, tree: Tree, file: str) -> None:
        shape = self._shape(tree, file)
        if shape is None:
            return
        for path, fields in self._bodies(tree, file):
            try:
                # JSON and strict: a list may stand for a tuple, but ``true`` is no number and "10" neither.
                item = shape.model_validate_json(dumps(fields), strict=True)
            except ValidationError as error:
                known = {(problem.line, problem.column) for problem in self.problems}
                found = problems_of(error, shape, tree, path, file)
                self.problems += [p for p in found if (p.line, p.column) not in known]
                self.unfit.append(PlacedBody(shape, fields, tree, path, file))
            else:
                self._keep(item, PlacedBody(shape, fields, tree, path, file))

    def _shape(self, tree: Tree, file: str) -> type[CatalogObject] | None:
        """The shape that a document names, or None and a problem."""
        words = ", ".join(sorted(_PLURAL))
        if not isinstance(tree.value, dict):
            expected = f"expected a mapping with kind ({words}) and its fields"
            self._problem(f"found a document that is no mapping, {expected}", tree, (), file)
        elif "kind" not in tree.value:
            self._problem(f'"kind" is missing: one of {words}', tree, (), file)
        elif isinstance(kind := tree.value["kind"], str) and kind in _PLURAL:
            return KINDS[_PLURAL[kind]]
        else:
            hint = suggestion(str(kind), sorted(_PLURAL))
            self._problem(f'unknown kind "{str(kind)[:60]}"{hint}', tree, ("kind",), file)
        return None

    def _bodies(self, tree: Tree, file: str) -> Iterator[tuple[Path, Json]]:
        """The objects of a document without their kind, each with its path."""
        assert isinstance(tree.value, dict)
        fields = {key: value for key, value in tree.value.items() if key != "kind"}
        if "items" not in fields:
            yield (), fields
            return
        for key in sorted(fields.keys() - {"items"}):
            self._problem(
                f'"{key}" stands beside items; put it into the items', tree, (key,), file, key=True
            )
        items = fields["items"]
        if not isinstance(items, list):
            self._problem("expected a list of objects under items", tree, ("items",), file)
            return
        for at, item in enumerate(items):
            yield ("items", at), item

    def _keep(self, item: CatalogObject, body: PlacedBody) -> None:
        assert isinstance(item, Named)
        tree, path, file = body.tree, body.path, body.file
        kind = kind_of(item)
        place = tree.key_place((*path, "name"))
        here = f"{file or 'this file'} line {place.line}"
        first = self._places.setdefault((kind, item.name), here)
        if first != here:
            message = f'{SINGULAR[kind]} "{item.name}" stands twice, first in {first}'
            self._problem(message, tree, (*path, "name"), file, key=True)
        self.placed.append(PlacedObject(body.shape, body.fields, tree, path, file, item))

    def _problem(
        self, message: str, tree: Tree, path: Path, file: str, *, key: bool = False
    ) -> None:
        place = tree.key_place(path) if key else tree.place(path)
        self.problems.append(FileProblem(message, pointer(path), place.line, place.column, file))


def write(item: Named) -> str:
    """An object as a YAML document with its kind; what a shape fills in by itself is left out."""
    fields = item.model_dump(mode="python", exclude_defaults=True)
    return written(
        {"kind": SINGULAR[kind_of(item)], **{name: _plain(part) for name, part in fields.items()}}
    )


def write_all(items: Iterable[Named]) -> str:
    """Objects as one file of several documents."""
    return "---\n".join(write(item) for item in items)


def _plain(value: object) -> object:
    """A value as YAML writes it: a decimal as a number where a number keeps it whole."""
    match value:
        case dict():
            return {key: _plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
        case Decimal():
            number = float(value)
            return number if Decimal(repr(number)) == value else format(value, "f")
        case bool() | int() | float() | str() | None:
            return value
        case _:
            return str(value)
