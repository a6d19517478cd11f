"""The catalog in Postgres: versions only grow, equal content makes none, writers of a name wait for each other."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from convo_events.catalog import Persona, Pool, RunConfig, Voice
from convo_events.errors import Invalid, NotFound, Refused
from convo_events.migrate import migrate_database
from convo_events.store import Connection
from convo_events.store import Pool as Connections
from convo_gateway.catalog import store
from convo_gateway.catalog.documents import kind_of
from convo_gateway.catalog.freeze import freeze
from convo_gateway.catalog.starter import starter_objects
from convo_gateway.stack.infrastructure import Infrastructure
from tests.gateway.catalog.samples import catalog, config

pytestmark = [pytest.mark.anyio, pytest.mark.connected]


@pytest.fixture(scope="module")
def url(infrastructure: Infrastructure) -> str:
    made = infrastructure.create_database()

    async def prepare() -> None:
        connection = await asyncpg.connect(made)
        try:
            await migrate_database(connection)
        finally:
            await connection.close()

    asyncio.run(prepare())
    return made


@pytest.fixture
async def pool(url: str) -> AsyncIterator[Connections]:
    async with asyncpg.create_pool(url, min_size=1, max_size=6) as opened:
        yield opened


@pytest.fixture
async def connection(pool: Connections) -> AsyncIterator[Connection]:
    """A connection inside a transaction that is undone after the test."""
    async with pool.acquire() as lent:
        undone = lent.transaction()
        await undone.start()
        yield lent
        await undone.rollback()


def ada(summary: str) -> Persona:
    return Persona(name="ada", summary=summary)


async def test_an_edit_makes_a_version_and_the_old_one_stays(connection: Connection) -> None:
    first = await store.put(connection, ada("One."), note="made")
    second = await store.put(connection, ada("Two."))
    assert (first, second) == (
        store.Put("personas", "ada", 1, changed=True),
        store.Put("personas", "ada", 2, changed=True),
    )
    latest = await store.latest(connection, "personas", "ada")
    assert (latest.version, latest.item) == (2, ada("Two."))
    old = await store.version(connection, "personas", "ada", 1)
    assert (old.item, old.note) == (ada("One."), "made")
    assert [v.version for v in await store.versions(connection, "personas", "ada")] == [2, 1]
    assert [v.version for v in await store.versions(connection, "personas", "ada", before=2)] == [1]


async def test_equal_content_makes_no_version(connection: Connection) -> None:
    await store.put(connection, ada("One."))
    again = await store.put(connection, Persona.model_validate({"summary": "One.", "name": "ada"}))
    assert (again.version, again.changed) == (1, False)
    # What was once there and is wanted back is a new version all the same: history is not rewound.
    await store.put(connection, ada("Two."))
    assert (await store.put(connection, ada("One."))).version == 3


async def test_kinds_have_names_of_their_own(connection: Connection) -> None:
    await store.put(connection, ada("One."))
    await store.put(connection, Voice(name="ada", style="x"))
    assert (await store.latest(connection, "voices", "ada")).version == 1


async def test_a_writer_who_saw_another_version_is_refused(connection: Connection) -> None:
    await store.put(connection, ada("One."), expected=0)
    await store.put(connection, ada("Two."), expected=1)
    for seen in (0, 1, 3):
        with pytest.raises(Refused, match="is at version 2") as caught:
            await store.put(connection, ada("Three."), expected=seen)
        assert caught.value.code == "version_conflict"
    assert (await store.latest(connection, "personas", "ada")).item == ada("Two.")


async def test_a_refused_first_write_leaves_nothing(connection: Connection) -> None:
    with pytest.raises(Refused):
        await store.put(connection, ada("One."), expected=4)
    with pytest.raises(NotFound, match='no persona "ada"'):
        await store.latest(connection, "personas", "ada")


async def test_every_kind_comes_back_as_it_went_in(connection: Connection) -> None:
    for item in (*catalog(), config(), *starter_objects()):
        await store.put(connection, item)
        assert (await store.latest(connection, kind_of(item), item.name)).item == item


async def test_odd_text_comes_back(connection: Connection) -> None:
    odd = Pool(
        name="odd", values=("\\u0000", "\\\\u0000", "\x7f\x85\u2028", "🙂 א", "'; drop table", '"')
    )
    await store.put(connection, odd)
    assert (await store.latest(connection, "pools", "odd")).item == odd


async def test_nul_and_half_characters_are_refused_with_their_place(
    connection: Connection,
) -> None:
    with pytest.raises(Invalid) as caught:
        await store.put(connection, Pool(name="p", values=("fine", "a\0b", "\\\0")))
    assert [problem.pointer for problem in caught.value.problems] == ["/values/1", "/values/2"]
    with pytest.raises(Invalid, match="not Unicode"):
        await store.put(connection, Persona.model_construct(name="p", summary="\ud800"))
    with pytest.raises(Invalid, match="note"):
        await store.put(connection, ada("One."), note="\0")


@pytest.mark.parametrize(
    "statement",
    [
        "update catalog_version set note = 'x'",
        "delete from catalog_version",
        "truncate catalog_version cascade",
    ],
)
async def test_versions_are_append_only(connection: Connection, statement: str) -> None:
    await store.put(connection, ada("One."))
    await connection.execute("set constraints all immediate")
    with pytest.raises(asyncpg.RaiseError, match="never changed"):
        async with connection.transaction():
            await connection.execute(statement)


async def test_what_is_not_there_is_not_found(connection: Connection) -> None:
    await store.put(connection, ada("One."))
    for work in (
        store.latest(connection, "personas", "bo"),
        store.latest(connection, "no-such-kind", "bo"),
        store.version(connection, "personas", "ada", 2),
        store.archive(connection, "personas", "bo"),
    ):
        with pytest.raises(NotFound):
            await work
    assert await store.versions(connection, "personas", "bo") == []


class TestPage:
    @pytest.fixture(autouse=True)
    async def people(self, connection: Connection) -> None:
        for name in ("a-b", "a.b", "a_b", "ab", "zoe"):
            await store.put(connection, Persona(name=name, summary=f"{name} likes 100% Wool"))

    async def names(self, connection: Connection, **asked: object) -> list[str]:
        found = await store.page(connection, "personas", **asked)  # type: ignore[arg-type]
        return [stored.name for stored in found]

    async def test_pages_follow_each_other_without_gap_or_repeat(
        self, connection: Connection
    ) -> None:
        everything = await self.names(connection)
        assert everything == sorted(["a-b", "a.b", "a_b", "ab", "zoe"])
        walked: list[str] = []
        while chunk := await self.names(connection, after=walked[-1] if walked else None, limit=2):
            walked += chunk
        assert walked == everything

    @pytest.mark.parametrize(
        ("q", "found"),
        [("ZOE", 1), ("wool", 5), ("100%", 5), ("%", 5), ("a_", 1), ("\\", 0), ("silk", 0)],
    )
    async def test_a_search_takes_its_text_as_it_is(
        self, connection: Connection, q: str, found: int
    ) -> None:
        assert len(await self.names(connection, q=q)) == found

    async def test_a_page_has_the_latest_version(self, connection: Connection) -> None:
        await store.put(connection, Persona(name="zoe", summary="New."))
        (zoe,) = await store.page(connection, "personas", q="zoe")
        assert (zoe.version, zoe.item) == (2, Persona(name="zoe", summary="New."))

    async def test_archived_objects_are_hidden_but_found_by_name(
        self, connection: Connection
    ) -> None:
        await store.archive(connection, "personas", "zoe")
        assert "zoe" not in await self.names(connection)
        assert await self.names(connection, archived=True) == ["zoe"]
        assert (await store.latest(connection, "personas", "zoe")).archived
        again = await store.put(connection, Persona(name="zoe", summary="zoe likes 100% Wool"))
        assert not again.changed
        assert "zoe" in await self.names(connection)


async def test_apply_writes_all_or_nothing(connection: Connection) -> None:
    done = await store.apply(connection, [config(), *reversed(catalog())])
    assert done[-1].kind == "run-configs"
    assert all(put.changed for put in done)
    assert not any(put.changed for put in await store.apply(connection, catalog()))
    with pytest.raises(Invalid):
        await store.apply(connection, [ada("Changed."), Voice(name="plain", style="\0")])
    assert (await store.latest(connection, "personas", "ada")).version == 1


async def test_a_config_freezes_from_the_store_with_the_versions_of_the_moment(
    connection: Connection,
) -> None:
    await store.apply(connection, [*catalog(), config()])
    await store.put(connection, ada("Ada counts twice."))
    stored = await store.latest(connection, "run-configs", "small-run")
    assert isinstance(stored.item, RunConfig)
    lookup = await store.lookup_for(connection, stored.item)
    await store.put(connection, ada("Ada, changed after the lookup."))
    snapshot = freeze(stored.item, stored.version, lookup).snapshot
    assert snapshot.personas[0].summary == "Ada counts twice."
    assert snapshot.versions["personas/ada"] == 2


async def test_concurrent_writers_of_a_name_get_versions_in_a_row(pool: Connections) -> None:
    async def write(number: int) -> int:
        async with pool.acquire() as connection:
            return (await store.put(connection, Persona(name="raced", summary=f"{number}"))).version

    assert sorted(await asyncio.gather(*map(write, range(12)))) == list(range(1, 13))


async def test_concurrent_writers_of_equal_content_make_one_version(pool: Connections) -> None:
    async def write() -> store.Put:
        async with pool.acquire() as connection:
            return await store.put(connection, Persona(name="same", summary="same"))

    done = await asyncio.gather(*(write() for _ in range(8)))
    assert {put.version for put in done} == {1}
    assert sum(put.changed for put in done) == 1


async def test_two_catalogs_applied_at_once_do_not_lock_each_other_out(pool: Connections) -> None:
    people = [Persona(name=f"crowd-{at}", summary="x") for at in range(20)]

    async def work(items: list[Persona]) -> int:
        async with pool.acquire() as connection:
            return sum(put.changed for put in await store.apply(connection, items))

    changed = await asyncio.gather(work(people), work(people[::-1]), work(people))
    assert sum(changed) == 20
