"""Differences of two JSON values: applied to one they give the other, both ways."""

import copy
from collections.abc import Iterable
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from convo_gateway.catalog.compare import Difference, differences

scalars = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, "", "a", "~/"])
)
keys = st.sampled_from(["a", "b", "0", "a/b", "~1", ""])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=20,
)


def parts(pointer: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def at(value: Any, part: str) -> Any:
    return value[int(part)] if isinstance(value, list) else value[part]


def change(value: Any, pointer: str, op: str, new: Any) -> Any:
    """The value with one place added, removed or set; works in place except at the root."""
    *way, last = parts(pointer) or [""]
    if not pointer:
        return new
    holder = value
    for part in way:
        holder = at(holder, part)
    if isinstance(holder, list) and op == "added":
        holder.insert(int(last), new)
    elif op == "removed":
        del holder[int(last) if isinstance(holder, list) else last]
    else:
        holder[int(last) if isinstance(holder, list) else last] = new
    return value


def of(found: Iterable[Difference], op: str) -> list[Difference]:
    return [difference for difference in found if difference.op == op]


def forward(before: Any, found: list[Difference]) -> Any:
    value = copy.deepcopy(before)
    for d in reversed(of(found, "removed")):
        value = change(value, d.pointer, "removed", None)
    for d in of(found, "added"):
        value = change(value, d.pointer, "added", copy.deepcopy(d.after))
    for d in of(found, "changed"):
        value = change(value, d.pointer, "changed", copy.deepcopy(d.after))
    return value


def backward(after: Any, found: list[Difference]) -> Any:
    value = copy.deepcopy(after)
    for d in of(found, "changed"):
        value = change(value, d.pointer, "changed", copy.deepcopy(d.before))
    for d in reversed(of(found, "added")):
        value = change(value, d.pointer, "removed", None)
    for d in of(found, "removed"):
        value = change(value, d.pointer, "added", copy.deepcopy(d.before))
    return value


def written(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


@given(values, values)
def test_differences_lead_from_one_value_to_the_other(before: Any, after: Any) -> None:
    found = differences(before, after)

    assert written(forward(before, found)) == written(after)
    assert written(backward(after, found)) == written(before)
    assert (found == []) == (written(before) == written(after))


def test_true_is_no_one_and_a_long_list_takes_no_time() -> None:
    assert differences([1], [True]) == [Difference("/0", "changed", 1, True)]
    before = [f"value {number}" for number in range(60_000)]
    after = [f"other {number}" for number in range(60_000)]
    assert len(differences(before, after)) == 60_000
    assert differences(before, [*before[:30_000], "new", *before[30_000:]]) == [
        Difference("/30000", "added", after="new")
    ]
