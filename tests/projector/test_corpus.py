"""The corpus beside the fold: narrow rows, counts that agree with them, and words a moment later."""

from collections.abc import AsyncIterator

import pytest

from convo_events.reviews import ConversationReviewed, Edit
from convo_events.store import Pool
from convo_gateway.stack.infrastructure import Infrastructure
from convo_projector.reader import read_some
from tests.databases import migrated
from tests.histories import history
from tests.journeys.configs import snapshot
from tests.projector.folding import fold_all, opened

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
SNAPSHOT = snapshot(8, threads=3, turns=2, retries=1)
FACETS = ("status", "reason", "layer", "persona", "voice", "review", "edited")


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        yield pool


async def counted(pool: Pool, facet: str, run: str) -> dict[str, int]:
    rows = await pool.fetch(
        "select value, n from corpus_count where facet = $1 and run = $2 and n <> 0", facet, run
    )
    return {row["value"]: row["n"] for row in rows}


@pytest.mark.parametrize("cancel", [False, True])
async def test_rows_follow_conversations_and_counts_follow_rows(pool: Pool, cancel: bool) -> None:
    found = history(SNAPSHOT, 3, 90, cancel=cancel)
    await fold_all(await opened(pool), found.log, (5, 17))

    differing = await pool.fetch(
        """
        select c.id, c.status, k.status from conversation c full join corpus k using (id)
        where (c.status, c.reason, c.layer, c.persona) is distinct from (k.status, k.reason, k.layer, k.persona)
           or (k.turns is null) <> (c.status in ('open', 'cancelled')) or k.cost_micro <> c.cost_micro
           or (k.config, k.language) <> ('fake-config', 'en')
        """
    )
    assert differing == []
    for facet in FACETS:
        rows = await pool.fetch(
            f"select coalesce({facet}::text, '') as value, count(*) as n from corpus group by 1"
        )
        own = {row["value"]: row["n"] for row in rows}
        assert await counted(pool, facet, found.run) == await counted(pool, facet, "") == own


async def test_words_are_read_once_of_what_has_its_verdict(pool: Pool) -> None:
    found = history(SNAPSHOT, 5, 200)
    await fold_all(await opened(pool), found.log)
    settled = await pool.fetchval(
        "select count(*) from conversation where status not in ('open', 'cancelled')"
    )
    async with pool.acquire() as c:
        read = [await read_some(c, most=3) for _ in range(4)]
    assert settled
    assert sum(read) == settled == await pool.fetchval("select count(*) from corpus_words")
    assert await pool.fetchval("select count(*) from corpus_unread") == 0
    # Told once more, nothing is read again.
    await fold_all(await opened(pool), found.log)
    assert await pool.fetchval("select count(*) from corpus_unread") == 0


async def test_edited_texts_are_read_beside_what_was_made_and_go_when_the_edit_does(
    pool: Pool,
) -> None:
    found = history(SNAPSHOT, 5, 200)
    await fold_all(await opened(pool), found.log)
    one = await pool.fetchrow(
        "select run, thread, number, id from conversation where status = 'accepted' order by id"
    )
    assert one is not None
    place = {"run": one["run"], "thread": one["thread"], "conversation": one["number"]}
    said = {"reviewer": "mara", "decision": "accepted"}
    edits = [(Edit(turn=0, text="Umlauted zebras"),), (Edit(turn=0, text="Quiet okapis"),), ()]

    async def known(word: str) -> bool:
        sql = "select said @@ $2::tsquery from corpus_words where id = $1"
        return bool(await pool.fetchval(sql, one["id"], f"'{word}'"))

    seen = []
    for version, changed in enumerate(edits, start=1):
        event = ConversationReviewed.model_validate(
            {**place, **said, "version": version, "edits": changed}
        )
        await fold_all(await opened(pool), [(f"reviewed-{version}", event)])
        async with pool.acquire() as c:
            while await read_some(c):
                pass
        seen.append((await known("zebras"), await known("okapis")))
    assert seen == [(True, False), (False, True), (False, False)]
    first = await pool.fetchval("select body from turn where conversation = $1 limit 1", one["id"])
    assert await known(first.split()[0].strip(".,?!").lower())
