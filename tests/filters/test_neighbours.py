"""A look at accepted conversations, on a real database. Numbers in names are public faults that must not come back."""

import random
from collections.abc import AsyncIterator, Sequence

import pytest

from convo_events import near_index
from convo_events.layouts import Layout, fewest_shared
from convo_events.masking import Mask
from convo_events.near_index import Looker, NearIndex, Probe, Scope
from convo_events.overlap import near_duplicate_hit
from convo_events.similarity import jaccard, shingles
from convo_events.store import Pool
from convo_filters.neighbours import Neighbours, Seen, Subject
from convo_gateway.stack.infrastructure import Infrastructure
from convo_models.transcripts import Transcripts
from tests.databases import migrated
from tests.scheduler.accepting import LIMIT, PooledRows, frozen

pytestmark = [pytest.mark.anyio, pytest.mark.connected]
GARDEN = (
    "How do I plan a small garden by the wall?",
    "Start with the sun: note where it falls at noon.",
)


@pytest.fixture
async def pool(infrastructure: Infrastructure) -> AsyncIterator[Pool]:
    async with migrated(infrastructure) as pool:
        await PooledRows(pool).run("run-a", config="one")
        yield pool


def subject(turns: Sequence[str], scope: Scope = "run", run: str = "run-a") -> Subject:
    return Subject.of(run, frozen(scope).config, shingles(turns), Mask())


async def accept(pool: Pool, *talks: Sequence[str], first: int = 0, run: str = "run-a") -> None:
    """Conversations ``first`` and on of a run are accepted and folded."""
    for at, turns in enumerate(talks, first):
        name, of = f"{run}.{at}.0", subject(turns, run=run)
        await pool.execute(
            "insert into accepted_signature (conversation, run, bands, corpus, sample)"
            " values ($1, $2, $3, $4, $5)",
            name,
            run,
            list(of.own_bands),
            list(of.fingerprint.bands),
            list(of.fingerprint.sample),
        )
        await pool.executemany(
            "insert into turn (conversation, number, role, body, finish) values ($1, $2, 'user', $3, 'stop')",
            [(name, number, text) for number, text in enumerate(turns)],
        )


async def look(pool: Pool, of: Subject) -> Seen:
    return await Neighbours(pool, Transcripts(pool)).look(of)


@pytest.mark.parametrize("scope", ["run", "everything"])
async def test_d05_the_hit_names_the_nearest_neighbour_and_shows_the_words(
    pool: Pool, scope: Scope
) -> None:
    near = (GARDEN[0], "Start with the sun: note where it falls at seven.")
    nearer = (GARDEN[0], GARDEN[1] + " Truly.")
    far = ("What do I cook tonight?", "Soup, with the beans you have.")
    await accept(pool, far, near, nearer)

    seen = await look(pool, subject(GARDEN, scope))
    assert seen.nearest is not None
    assert seen.position > 0
    hit = near_duplicate_hit(seen.nearest, GARDEN, seen.turns)
    assert (hit.reason, hit.layer, hit.neighbour) == ("near_duplicate", 2, "run-a.2.0")
    assert hit.similarity == jaccard(shingles(GARDEN), shingles(nearer))
    assert len(hit.overlaps) == 2
    for span in hit.overlaps:
        theirs = nearer[span.other_turn][span.other_start : span.other_end]
        assert GARDEN[span.turn][span.start : span.end] == theirs


async def test_d02_d04_only_true_similarity_to_one_neighbour_counts(pool: Pool) -> None:
    words = [f"w{at}" for at in range(100)]
    a, b, c = ([" ".join(words[at : at + 80])] for at in (0, 10, 20))
    await accept(pool, a)
    assert (await look(pool, subject(c))).nearest is None
    await accept(pool, b, first=1)
    seen = await look(pool, subject(c))
    assert seen.nearest is not None
    assert seen.nearest.conversation == "run-a.1.0"


async def test_an_empty_index_and_an_empty_conversation(pool: Pool) -> None:
    assert await look(pool, subject(GARDEN)) == Seen()
    await accept(pool, GARDEN, ())
    assert (await look(pool, subject([""]))).nearest is None


def family(size: int, seed: int = 4) -> list[list[str]]:
    """Conversations of which a third of the words are the same in all: under the limit by far, and in hot bands."""
    rng = random.Random(seed)
    common = [f"c{rng.randrange(500)}" for _ in range(60)]
    return [
        [" ".join(common + [f"o{rng.randrange(9_000)}" for _ in range(90)])] for _ in range(size)
    ]


async def test_what_very_many_share_hides_nothing_that_is_near(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a hot band only the first rows are read: the near one, accepted last, is found by its other bands."""
    monkeypatch.setattr(near_index, "MOST_IN_BAND", 5)
    others = family(40)
    await accept(pool, *others)
    edited = others[-1][0].split()
    edited[100] = "another"
    seen = await look(pool, subject([" ".join(edited)]))
    assert seen.nearest is not None
    assert seen.nearest.conversation == "run-a.39.0"


async def test_where_nearly_all_bands_are_hot_they_are_read_in_full(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near_index, "MOST_IN_BAND", 1)
    told = " ".join(f"w{at}" for at in range(150))
    copies = [[told], [told + " one more"], [told + " two more words"]]
    await accept(pool, *copies)
    probe = subject([told + " and three more words"])
    layout = Layout.of_run(LIMIT)
    hot = await pool.fetchval(
        "select count(*) from unnest($1::int[]) band where 1 <"
        " (select count(*) from accepted_signature where bands @> array[band])",
        list(probe.own_bands),
    )
    assert fewest_shared(layout, hot) is None
    index = NearIndex(pool)
    looker = Looker("run-a", "one", "run")
    (found,) = await index.sharing([Probe(looker, probe.own_bands, layout)])
    assert {entry.conversation for entry in found} == {f"run-a.{at}.0" for at in range(3)}
