"""Counts of the corpus for its filters, in bounded time however many conversations there are.

What only runs decide (run, config, mode, language) is summed from the counts that the projector keeps. Other filters
are counted up to ``MOST`` conversations, and the answer says where counting stopped.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from convo_events.store import Connection
from convo_gateway.reads.conversation_filter import CHOICES, where
from convo_gateway.shapes.conversation_filter import ConversationFilter
from convo_gateway.shapes.facets import Facet, Facets, FacetValue

MOST = 10_000
"""Conversations that are counted one by one."""
LISTED = 100
"""Values of one facet that are told."""
OF_RUNS = ("run", "config", "mode", "language")
"""Facets that all conversations of a run share."""
OWN = ("status", "reason", "layer", "persona", "voice", "review", "edited")
"""Facets that the projector counts."""
_WITHOUT = frozenset({"reason", "layer"})
"""Facets of which "none" is no choice."""
_NONE = {"language": "none", "review": "none"}
Counts = Mapping[str, Mapping[str, int]]
"""Facet to value to conversations."""


async def facets(c: Connection, wanted: ConversationFilter) -> Facets:
    """How many conversations a filter leaves, and how many each choice of one facet would under the others."""
    chosen = {name: _chosen(wanted, name) for name in (*OF_RUNS, *OWN)}
    counted: dict[str, tuple[Mapping[str, int], bool]] = {}
    whole, exact = await _count(c, wanted)
    for name, values in chosen.items():
        if values:
            others, sure = await _count(c, wanted.model_copy(update={name: _empty(name)}))
            counted[name] = (others[name], sure)
        else:
            counted[name] = (whole[name], exact)
    total = sum(whole["status"].values())
    if not exact:
        # Where one facet alone is chosen, its own counts are exact and say the whole.
        for name, values in chosen.items():
            if values and counted[name][1]:
                total, exact = sum(counted[name][0].get(value, 0) for value in values), True
    known = await _known_values(c, wanted)
    names = await _run_names(c, [*list(counted["run"][0])[: 2 * LISTED], *wanted.run])
    return Facets(
        total=total,
        exact=exact,
        of=sum(known["status"].values()),
        facets=[
            _facet(name, *counted[name], chosen[name], known.get(name, {}), names)
            for name in chosen
        ],
    )


def _chosen(wanted: ConversationFilter, name: str) -> tuple[str, ...]:
    if name == "edited":
        return () if wanted.edited is None else (str(wanted.edited).lower(),)
    return tuple(str(value) for value in getattr(wanted, name))


def _empty(name: str) -> object:
    return None if name == "edited" else ()


async def _count(c: Connection, wanted: ConversationFilter) -> tuple[Counts, bool]:
    """Counts of every facet under a filter, and whether they are exact."""
    only_runs = wanted == ConversationFilter(**{name: getattr(wanted, name) for name in OF_RUNS})
    return (await _summed(c, wanted), True) if only_runs else await _one_by_one(c, wanted)


async def _summed(c: Connection, wanted: ConversationFilter) -> Counts:
    """Counts under a filter of runs, from what the projector keeps."""
    rows = await c.fetch(
        """
        select v.run, v.config, v.mode, v.language, k.n from run_view v
        join (select run, sum(n)::bigint as n from corpus_count where facet = 'status' group by run) k using (run)
        where k.n > 0 and (cardinality($1::text[]) = 0 and v.kind <> 'sample' or v.run = any($1))
          and (cardinality($2::text[]) = 0 or v.config = any($2))
          and (cardinality($3::text[]) = 0 or v.mode = any($3))
          and (cardinality($4::text[]) = 0 or v.language = any($4))
        """,
        list(wanted.run),
        list(wanted.config),
        list(wanted.mode),
        ["" if value == "none" else value for value in wanted.language],
    )
    found: dict[str, Counter[str]] = {name: Counter() for name in (*OF_RUNS, *OWN)}
    for row in rows:
        for name in OF_RUNS:
            found[name][row[name] or _NONE.get(name, "")] += row["n"]
    everything = wanted == ConversationFilter()
    own = await c.fetch(
        "select facet, value, sum(n)::bigint as n from corpus_count"
        " where run = any($1) group by facet, value having sum(n) > 0",
        [""] if everything else [row["run"] for row in rows],
    )
    for row in own:
        found[row["facet"]][row["value"] or _NONE.get(row["facet"], "")] += row["n"]
    return found


async def _one_by_one(c: Connection, wanted: ConversationFilter) -> tuple[Counts, bool]:
    """Counts of the first conversations that a filter leaves, and whether these were all."""
    chosen = where(wanted)
    names = (*CHOICES, "edited")
    rows = await c.fetch(
        f"""
        with matched as materialized (
          select {", ".join(names)} from corpus {chosen.sql} limit {chosen.hole(MOST)}
        )
        select grouping({", ".join(names)}) as facet, {", ".join(names)}, count(*) as n
        from matched group by grouping sets ({", ".join(f"({name})" for name in names)})
        """,
        *chosen.arguments,
    )
    found: dict[str, Counter[str]] = {name: Counter() for name in (*OF_RUNS, *OWN)}
    for row in rows:
        # One bit of the mask is clear: that of the column which the row is grouped by.
        at = next(i for i in range(len(names)) if not row["facet"] >> (len(names) - 1 - i) & 1)
        value = row[names[at]]
        text = (
            str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
        )
        found[names[at]][text or _NONE.get(names[at], "")] += row["n"]
    return found, sum(found["status"].values()) < MOST


async def _known_values(c: Connection, wanted: ConversationFilter) -> Counts:
    """All values that the facets can have in the chosen runs."""
    return await _summed(c, ConversationFilter(run=wanted.run))


async def _run_names(c: Connection, runs: Sequence[str]) -> Mapping[str, str]:
    rows = await c.fetch("select run, name from run_view where run = any($1)", list(set(runs)))
    return {row["run"]: row["name"] for row in rows}


def _facet(
    name: str,
    counts: Mapping[str, int],
    exact: bool,
    chosen: Sequence[str],
    known: Mapping[str, int],
    labels: Mapping[str, str],
) -> Facet:
    """A facet as it is told: what was found, what is chosen, and where counting stopped what else there is."""
    numbers: dict[str, int | None] = {value: None for value in known} if not exact else {}
    numbers |= {value: 0 if exact else None for value in chosen}
    numbers |= counts
    if name in _WITHOUT:
        numbers.pop("", None)
    order = sorted(numbers, key=lambda value: (-(numbers[value] or 0), value))
    first = order[:LISTED] + [value for value in order[LISTED:] if value in chosen]
    return Facet(
        name=name,
        exact=exact,
        values=[
            FacetValue(value=v, label=labels.get(v, "") if name == "run" else "", n=numbers[v])
            for v in first
        ],
        left_out=len(order) - len(first),
    )
