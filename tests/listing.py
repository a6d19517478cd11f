"""The corpus of rows that were put into the read model by hand, as the projector keeps it of what it folds."""

import asyncpg

from convo_events.store import Connection
from convo_projector.listing import Listing, follow_up
from convo_projector.projections import conversations, corpus, run_view
from convo_projector.reader import read_some
from convo_projector.rows import describe, load, save


async def list_new(url: str, run: str) -> None:
    """Put the conversations of a run that are not there yet into the corpus, with their words and counts."""
    c = await asyncpg.connect(url)
    try:
        await _list(c, run)
        while await read_some(c):
            pass
    finally:
        await c.close()


async def _list(c: Connection, run: str) -> None:
    runs = await describe(c, run_view.TABLE, run_view.KEY, run_view.Row)
    table = await describe(c, conversations.TABLE, conversations.KEY, conversations.Row)
    listed = await describe(c, corpus.TABLE, corpus.KEY, corpus.Row)
    new = await c.fetch(
        "select id from conversation where run = $1 and id not in (select id from corpus)", run
    )
    of_run = await load(c, runs, [(run,)])
    listing = Listing()
    for row in (await load(c, table, [(row["id"],) for row in new])).values():
        listing.follow(None, row, of_run[(run,)])
    await save(c, [(listed, list(listing.rows.values()))])
    await follow_up(c, listing)
