"""The plan of a run before it is made: a window of it, and what all of it holds. Pure.

Whatever the size of the plan, only the window is drawn; shares are counted from the strata of the plan.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import expm1, prod

from convo_events.catalog import Weighted
from convo_events.plan import (
    Draw,
    cell_sizes,
    draw_at,
    lengths,
    share_sizes,
    stratum_sizes,
)
from convo_events.snapshot import Snapshot
from convo_gateway.shapes.preview import (
    Collisions,
    PlannedConversation,
    PlannedDimension,
    PlannedLength,
    PlannedShare,
)

MOST_DRAWN = 2_000
"""Conversations that are drawn where that makes a number exact: a tenth of a second."""
MOST_LISTED = 200
"""Values that are listed of a dimension."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """Everything that the plan has of a dimension."""

    name: str
    values: tuple[str, ...]
    weights: tuple[float, ...]
    counts: tuple[float, ...]
    """Conversations by value; they add up to the population."""
    exact: bool = True


def window(snapshot: Snapshot, offset: int, limit: int) -> list[PlannedConversation]:
    """The conversations of the plan from ``offset`` on; empty behind its end."""
    end = min(offset + limit, snapshot.config.target_count)
    return [planned(snapshot, draw_at(snapshot, index)) for index in range(offset, end)]


def planned(snapshot: Snapshot, draw: Draw) -> PlannedConversation:
    """A draw as it is shown."""
    number, thread = divmod(draw.index, snapshot.planned_lanes)
    return PlannedConversation(
        index=draw.index,
        thread=thread,
        number=number,
        visit=draw.visit,
        persona=draw.persona.name,
        voice=draw.voice.name,
        pools=draw.pools,
        turns=draw.turns,
        roughen=draw.roughen,
        seed=draw.seed,
    )


def dimensions(snapshot: Snapshot) -> list[Dimension]:
    """Every dimension of the plan, counted over all of it."""
    config = snapshot.config
    size = config.target_count
    counts, exact = _counts(snapshot, config.personas, lambda draw: draw.persona.name)
    voice_counts, voices_exact = _counts(snapshot, config.voices, lambda draw: draw.voice.name)
    personas = config.personas
    voices, mix = config.voices, config.length_mix
    found = [
        Dimension(
            "persona",
            tuple(entry.name for entry in personas),
            tuple(entry.weight for entry in personas),
            counts,
            exact,
        ),
        Dimension(
            "voice",
            tuple(entry.name for entry in voices),
            tuple(entry.weight for entry in voices),
            voice_counts,
            voices_exact,
        ),
        Dimension(
            "length",
            tuple("-".join(map(str, dict.fromkeys(part.turns))) for part in mix),
            tuple(part.share for part in mix),
            stratum_sizes(size, [part.share for part in mix]),
        ),
        *_pools(snapshot),
    ]
    if config.roughen is not None:
        rough = share_sizes(size, config.roughen.share)
        weights = (config.roughen.share, 1 - config.roughen.share)
        found.append(Dimension("roughen", ("yes", "no"), weights, (rough, size - rough)))
    return found


def _counts(
    snapshot: Snapshot, entries: Sequence[Weighted], drawn: Callable[[Draw], str]
) -> tuple[tuple[float, ...], bool]:
    """Conversations by persona or voice, and whether they are exact.

    In ``sessions`` a thread has one persona with one voice. Where some threads have a conversation more than others,
    those are looked at one by one; where they are too many, they count by their share.
    """
    config = snapshot.config
    weights = [entry.weight for entry in entries]
    if config.mode != "sessions":
        return stratum_sizes(config.target_count, weights), True
    lanes = snapshot.planned_lanes
    each, longer = divmod(config.target_count, lanes)
    threads = stratum_sizes(lanes, weights)
    whole = [each * count for count in threads]
    if min(longer, lanes - longer) > MOST_DRAWN:
        more = [longer * count / lanes for count in threads]
        return tuple(n + extra for n, extra in zip(whole, more, strict=True)), False
    if longer <= lanes - longer:
        first = Counter(drawn(draw_at(snapshot, at)) for at in range(longer))
        longer_threads = [first[entry.name] for entry in entries]
    else:
        last = Counter(drawn(draw_at(snapshot, at)) for at in range(longer, lanes))
        named = zip(entries, threads, strict=True)
        longer_threads = [count - last[entry.name] for entry, count in named]
    return tuple(n + extra for n, extra in zip(whole, longer_threads, strict=True)), True


def _pools(snapshot: Snapshot) -> Iterator[Dimension]:
    for pool in snapshot.pools:
        times, counts = Counter(pool.values), Counter[str]()
        cells = cell_sizes(snapshot.config.target_count, len(pool.values))
        for value, count in zip(pool.values, cells, strict=True):
            counts[value] += count
        values = tuple(times)
        yield Dimension(
            f"pool:{pool.name}",
            values,
            tuple(times[value] for value in values),
            tuple(counts[value] for value in values),
        )


def shares(found: Iterable[Dimension], size: int) -> list[PlannedShare]:
    """The values of all dimensions, the most frequent ones of each."""
    return [share for dimension in found for share in _shares(dimension, size)]


def _shares(dimension: Dimension, size: int) -> Iterator[PlannedShare]:
    total = sum(dimension.weights)
    order: Sequence[int] = range(len(dimension.values))
    if len(order) > MOST_LISTED:
        often = sorted(order, key=lambda at: -dimension.counts[at])[:MOST_LISTED]
        order = sorted(often)
    for at in order:
        weight, count = dimension.weights[at], dimension.counts[at]
        yield PlannedShare(
            dimension=dimension.name,
            value=dimension.values[at],
            weight=weight,
            share_wanted=weight / total,
            count=round(count),
            share=count / size,
        )


def described(dimension: Dimension) -> PlannedDimension:
    """What is listed of a dimension."""
    return PlannedDimension(
        dimension=dimension.name,
        values=len(dimension.values),
        listed=min(len(dimension.values), MOST_LISTED),
        exact=dimension.exact,
    )


def length_counts(snapshot: Snapshot) -> list[PlannedLength]:
    """How many conversations have each number of turns, shortest first."""
    config = snapshot.config
    size, mix = config.target_count, config.length_mix
    counts: Counter[int] | dict[int, float]
    if size <= MOST_DRAWN:
        counts = Counter(draw_at(snapshot, at).turns for at in range(size))
        return [PlannedLength(turns=n, count=counts[n], exact=True) for n in sorted(counts)]
    counts, unsure = {}, set[int]()
    for part, share in zip(mix, stratum_sizes(size, [part.share for part in mix]), strict=True):
        choices = lengths(part, in_pairs=config.speaks_in_turn)
        sizes: Sequence[float] = [share / len(choices)] * len(choices)
        if len(mix) == 1:
            sizes = cell_sizes(size, len(choices))
        elif len(choices) > 1:
            unsure.update(choices)
        for turns, count in zip(choices, sizes, strict=True):
            counts[turns] = counts.get(turns, 0) + count
    return [
        PlannedLength(turns=n, count=round(counts[n], 2), exact=n not in unsure)
        for n in sorted(counts)
        if counts[n]
    ]


def collisions(
    snapshot: Snapshot, found: Iterable[Dimension], shown: Sequence[PlannedConversation]
) -> Collisions:
    """Draws that come again, in the whole plan and in the window."""
    size = snapshot.config.target_count
    drawn = [d for d in found if d.name in ("persona", "voice") or d.name.startswith("pool:")]
    distinct = prod(len(dimension.values) for dimension in drawn)
    groups: dict[tuple[object, ...], list[int]] = {}
    for one in shown:
        key = (one.persona, one.voice, *sorted(one.pools.items()))
        groups.setdefault(key, []).append(one.index)
    return Collisions(
        distinct=distinct,
        conversations=size,
        expected=round(_repeats(size, distinct, drawn), 1),
        in_window=[group for group in groups.values() if len(group) > 1],
    )


def _repeats(size: int, distinct: int, drawn: Sequence[Dimension]) -> float:
    """Conversations expected to repeat an earlier draw, at least those that there are no distinct draws for.

    Exact where only one dimension varies. Else two conversations meet with the product of the chances that they meet
    in each dimension, and the plan behaves like draws from as many equal cells as give that chance.
    """
    varied = [dimension for dimension in drawn if len(dimension.values) > 1]
    if len(varied) <= 1:
        counts = varied[0].counts if varied else (size,)
        return sum(count - 1 for count in counts if count > 1)
    pairs = size * (size - 1)
    meet = prod(sum(c * (c - 1) for c in d.counts if c > 1) / pairs for d in varied) if pairs else 0
    if meet == 0:
        return 0.0
    cells = 1 / meet
    return max(size - distinct, size + cells * expm1(-size / cells), 0.0)
