"""Makes settled conversations searchable: their words go into the index of the corpus, a moment after the verdict.

It runs beside the fold, which it must not slow, and is no part of it: what it writes follows from the turns, and from
what people changed of them. Both texts are found, the one that was made and the one that it was edited to.
"""

import asyncio
import logging
from collections.abc import Sequence

from convo_events.errors import Unavailable
from convo_events.search_words import TEXT_MOST, document
from convo_events.store import Connection, Pool, outage_named

log = logging.getLogger(__name__)

BATCH = 50
LOOK_EVERY_S = 1.0
PAUSE_S = 0.02
"""Between batches, so that the fold has the processor first."""


class Reader:
    """Reads what nobody has read yet."""

    def __init__(self, pool: Pool) -> None:
        """Take the database."""
        self._pool = pool

    async def run(self) -> None:
        """Read until cancelled; an outage is waited out."""
        while True:
            read = 0
            try:
                async with outage_named(), self._pool.acquire() as c, c.transaction():
                    read = await read_some(c)
            except Unavailable as error:
                log.warning("reader waits", extra={"action": "read", "error": repr(error)})
            await asyncio.sleep(PAUSE_S if read else LOOK_EVERY_S)


async def read_some(c: Connection, most: int = BATCH) -> int:
    """Index some conversations that are not yet; how many there were."""
    found = await c.fetch(
        "delete from corpus_unread where id in (select id from corpus_unread limit $1) returning id",
        most,
    )
    if not found:
        return 0
    texts = await _edits(c, [row["id"] for row in found])
    turns = await c.fetch(
        """
        select conversation, left(body, $2) as body from (
          select conversation, number, body,
                 sum(length(body)) over (partition by conversation order by number) - length(body) as before
          from turn where conversation = any($1)
        ) t where before < $2 order by conversation, number
        """,
        list(texts),
        TEXT_MOST,
    )
    for row in turns:
        texts[row["conversation"]].append(row["body"])
    await c.execute(
        "insert into corpus_words select x.id, x.said::tsvector from unnest($1::text[], $2::text[]) as x (id, said)"
        " on conflict (id) do update set said = excluded.said",
        list(texts),
        [document(spoken) for spoken in texts.values()],
    )
    return len(texts)


async def _edits(c: Connection, found: Sequence[str]) -> dict[str, list[str]]:
    """Of each conversation what its latest review changed turns to; before the turns, so that it is read for sure."""
    texts: dict[str, list[str]] = {one: [] for one in found}
    rows = await c.fetch(
        """
        select v.id, left(e.edit ->> 'text', $2) as text
        from conversation v join review r on r.conversation = v.id and r.version = v.review_version
        cross join lateral jsonb_array_elements(r.edits) with ordinality e (edit, at)
        where v.id = any($1) and v.edited order by v.id, e.at
        """,
        list(found),
        TEXT_MOST,
    )
    for row in rows:
        texts[row["id"]].append(row["text"])
    return texts
