"""From what somebody asks for to what is made: views and verdict sets are looked up when it is asked for."""

from datetime import datetime

import orjson
from pydantic import BaseModel, ConfigDict

from convo_events.errors import Invalid, NotFound, Problem
from convo_events.store import Connection
from convo_gateway.exports.known_formats import format_named
from convo_gateway.exports.make import Order
from convo_gateway.exports.source import Scope, scope_of_filter, scope_of_run
from convo_gateway.reads.runs import existing_run, folded
from convo_gateway.shapes.conversation_filter import ConversationFilter
from convo_gateway.shapes.export_manifest import Made, Source
from convo_gateway.shapes.export_wishes import STATUSES, ExportOptions, ExportSource, ExportWish


class SetChosen(BaseModel):
    """A verdict set."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str


class Settled(BaseModel):
    """A wish with everything in it by value, so that it stays the same while it waits."""

    model_config = ConfigDict(frozen=True)

    name: str
    source: ExportSource
    options: ExportOptions
    filter: ConversationFilter | None = None
    """The filter, also that of the view."""
    verdict_set: SetChosen | None = None


async def settle(c: Connection, wish: ExportWish) -> Settled:
    """A wish that can be made.

    Raises:
        NotFound: its run, view or verdict set is not there.
        Invalid: its format is not there, or does not fit the options.
    """
    _check(wish.options)
    source = wish.source
    if source.run is not None:
        row = await existing_run(c, source.run)
        chosen = await _set(c, source.run, source.verdict_set) if source.verdict_set else None
        under = f", verdicts of {chosen.name}" if chosen else ""
        name = wish.name or f"{row['name']}{under}"
        return Settled(name=name, source=source, options=wish.options, verdict_set=chosen)
    if source.view is not None:
        name, wanted = await _view(c, source.view)
        return Settled(name=wish.name or name, source=source, options=wish.options, filter=wanted)
    name = wish.name or "Conversations of a filter"
    return Settled(name=name, source=source, options=wish.options, filter=source.filter)


def _check(options: ExportOptions) -> None:
    form = format_named(options.format)
    problems = []
    if options.bom and form.suffix != "csv":
        problems.append(Problem("only csv has a byte order mark", "/options/bom"))
    if problems:
        raise Invalid(problems)


async def _view(c: Connection, wanted: str) -> tuple[str, ConversationFilter]:
    row = await c.fetchrow(
        "select name, view from saved_view where id = $1 or name = $1 order by id = $1 desc", wanted
    )
    if row is None:
        raise NotFound(f"There is no saved view {wanted}.")
    return row["name"], ConversationFilter.model_validate(orjson.loads(row["view"])["filter"])


async def _set(c: Connection, run: str, wanted: str) -> SetChosen:
    row = await c.fetchrow(
        "select id, name from verdict_set where run = $1 and (id = $2 or name = $2) order by id = $2 desc",
        run,
        wanted,
    )
    if row is None:
        raise NotFound(f"Run {run} has no verdict set {wanted}.")
    return SetChosen(id=row["id"], name=row["name"])


async def order_of(c: Connection, settled: Settled, at: datetime, version: str) -> Order:
    """What is made of a settled wish now.

    Raises:
        NotFound: its verdict set was deleted while it waited.
    """
    if settled.verdict_set is not None:
        await _set(c, settled.source.run or "", settled.verdict_set.id)
    run, options = settled.source.run, settled.options
    statuses = options.chosen() or (("accepted",) if run is not None else STATUSES)
    wanted = settled.filter or ConversationFilter()
    told = wanted.model_dump(mode="json", exclude_defaults=True)
    kind = "run" if run is not None else "view" if settled.source.view is not None else "filter"
    return Order(
        name=settled.name,
        source=Source(
            kind=kind,
            name=run or settled.source.view or "",
            filter={} if run is not None else told,
            verdict_set=settled.verdict_set.name if settled.verdict_set else "",
        ),
        scope=_scope(settled, wanted),
        options=options,
        statuses=statuses,
        made=Made(at=at, position=await folded(c)),
        version=version,
    )


def _scope(settled: Settled, wanted: ConversationFilter) -> Scope:
    if settled.source.run is None:
        return scope_of_filter(wanted)
    chosen = settled.verdict_set
    return scope_of_run(settled.source.run, chosen.id if chosen else None)
