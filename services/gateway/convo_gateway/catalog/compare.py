"""How two JSON values differ, place by place. Pure.

Removed places are numbered as in the older value, added and changed ones as in the newer. Taking the removed ones out
from the last to the first, putting the added ones in from the first to the last, and then setting the changed ones
turns the older value into the newer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

import orjson

from convo_gateway.catalog.yaml_tree import Json, Path, pointer

_MOST_ALIGNED = 1_000
"""Longest part of a list that is aligned by content; a longer one is compared place by place, which takes no time."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place in which two values differ."""

    pointer: str
    op: Literal["added", "removed", "changed"]
    before: Json = None
    after: Json = None


def differences(before: Json, after: Json) -> list[Difference]:
    """Every place in which the values differ, in the order of the fields; values are told apart as JSON does."""
    return list(_compare(before, after, (), ()))


def _compare(before: Json, after: Json, old: Path, new: Path) -> Iterator[Difference]:
    match before, after:
        case dict(), dict():
            for key in [*after, *(key for key in before if key not in after)]:
                if key not in before:
                    yield Difference(pointer((*new, key)), "added", after=after[key])
                elif key not in after:
                    yield Difference(pointer((*old, key)), "removed", before=before[key])
                else:
                    yield from _compare(before[key], after[key], (*old, key), (*new, key))
        case list(), list():
            yield from _compare_lists(before, after, old, new)
        case _:
            if _written(before) != _written(after):
                yield Difference(pointer(new), "changed", before, after)


def _compare_lists(
    before: list[Json], after: list[Json], old: Path, new: Path
) -> Iterator[Difference]:
    for low, high, start, end in _parted(
        [_written(item) for item in before], [_written(item) for item in after]
    ):
        both = min(high - low, end - start)
        for step in range(both):
            i, j = low + step, start + step
            yield from _compare(before[i], after[j], (*old, i), (*new, j))
        for i in range(low + both, high):
            yield Difference(pointer((*old, i)), "removed", before=before[i])
        for j in range(start + both, end):
            yield Difference(pointer((*new, j)), "added", after=after[j])


def _parted(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[tuple[int, int, int, int]]:
    """Ranges of the older and the newer list that differ, in order."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if max(len(old), len(new)) > _MOST_ALIGNED:
        yield head, head + len(old), head, head + len(new)
        return
    for tag, low, high, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield head + low, head + high, head + start, head + end


def _written(value: Json) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
