"""Where an answer states scores: every object that looks like a verdict, wherever it stands. Pure.

All of them are found, also one that is quoted beside the judge's own, so that two that differ are seen as such.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from convo_judge.score import name_of
from convo_models.json_answers import Json

Entries: TypeAlias = "list[tuple[str, Json]]"
"""Name of a criterion, as the rubric writes it, and what is said of it."""

_CRITERIA = "criteria"
_NAMED = ("name", "criterion")


def verdicts(values: Sequence[Json], names: Sequence[str]) -> list[tuple[dict[str, Json], Entries]]:
    """Each object that is a verdict, with its entries, in the order of the answer.

    Args:
        values: The outermost JSON values of the answer.
        names: The criteria of the rubric.
    """
    known = _Names(names)
    return [found for value in values for found in _inside(value, known)]


class _Names:
    """The criteria by the names that judges give them."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the names of the rubric; a loose one that could be two of them is none."""
        loose = [name_of(name) for name in names]
        self._exact = frozenset(names)
        self._loose = {
            one: name for one, name in zip(loose, names, strict=True) if loose.count(one) == 1
        }

    def get(self, key: str) -> str | None:
        """The criterion that a key names."""
        return key if key in self._exact else self._loose.get(name_of(key))


def _inside(value: Json, names: _Names) -> Iterator[tuple[dict[str, Json], Entries]]:
    if isinstance(value, list):
        entries = _listed(value, names)
        if entries:
            yield {}, entries
        else:
            for item in value:
                yield from _inside(item, names)
    elif isinstance(value, dict):
        entries, is_verdict, others = [], False, []
        for key, item in value.items():
            name = names.get(key)
            if name is not None:
                entries.append((name, item))
            elif name_of(key) == _CRITERIA:
                is_verdict = True
                entries += _criteria(item, names)
            else:
                others.append(item)
        if entries or is_verdict:
            yield value, entries
        for item in others:
            yield from _inside(item, names)


def _criteria(value: Json, names: _Names) -> Entries:
    if isinstance(value, list):
        return _listed(value, names)
    items = value.items() if isinstance(value, dict) else ()
    return [(name, item) for key, item in items if (name := names.get(key)) is not None]


def _listed(items: list[Json], names: _Names) -> Entries:
    """The entries of a list that carry their names inside: ``[{"name": ..., "score": ...}]``."""
    return [
        (name, item)
        for item in items
        if isinstance(item, dict)
        for key, said in item.items()
        if name_of(key) in _NAMED
        and isinstance(said, str)
        and (name := names.get(said)) is not None
    ]
