"""Many objects written to the catalog at once: a few statements for a thousand of them, all in one transaction."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from convo_events.store import Connection
from convo_gateway.catalog.documents import Named, kind_of
from convo_gateway.catalog.store import ORDER, Put, body_of

_BATCH = 1_000
_NAMES = "unnest($1::text[], $2::text[]) with ordinality as wanted (kind, name, place)"


@dataclass(frozen=True, slots=True)
class Encoded:
    """An object as it is stored."""

    kind: str
    name: str
    body: bytes
    """Canonical JSON."""
    digest: str


def encoded(item: Named) -> Encoded:
    """The object as it is stored.

    Raises:
        Invalid: where a text holds what Postgres cannot keep.
    """
    body = body_of(item)
    return Encoded(kind_of(item), item.name, body, hashlib.sha256(body).hexdigest())


async def put_many(
    connection: Connection, items: Sequence[Encoded], *, note: str = ""
) -> list[Put]:
    """Write objects of different names: all or none. Results come in the order of dependencies, then of names."""
    done: list[Put] = []
    async with connection.transaction():
        for batch in _batches(items):
            done += await _write(connection, batch, note)
    return done


async def plan_many(connection: Connection, items: Sequence[Encoded]) -> list[Put]:
    """What ``put_many`` would come to; nothing is written."""
    done: list[Put] = []
    for batch in _batches(items):
        known = await _latest(connection, batch)
        done += [_put(item, known) for item in batch]
    return done


def _batches(items: Sequence[Encoded]) -> Iterator[list[Encoded]]:
    # One order for everybody keeps two that write at once from locking each other out.
    ordered = sorted(items, key=lambda item: (ORDER[item.kind], item.name))
    for start in range(0, len(ordered), _BATCH):
        yield ordered[start : start + _BATCH]


def _put(item: Encoded, known: dict[tuple[str, str], tuple[int, str | None]]) -> Put:
    latest, digest = known.get((item.kind, item.name), (0, None))
    changed = digest != item.digest
    return Put(item.kind, item.name, latest + changed, changed=changed)


async def _latest(
    connection: Connection, batch: Sequence[Encoded], lock: str = ""
) -> dict[tuple[str, str], tuple[int, str | None]]:
    """Latest version and hash of its content, by kind and name."""
    rows = await connection.fetch(
        f"select o.kind, o.name, o.latest, v.body_hash from {_NAMES} "
        "join catalog_object o using (kind, name) left join catalog_version v "
        "on (v.kind, v.name, v.version) = (o.kind, o.name, o.latest) "
        f"order by wanted.place {lock}",
        *_names(batch),
    )
    return {(row["kind"], row["name"]): (row["latest"], row["body_hash"]) for row in rows}


async def _write(connection: Connection, batch: Sequence[Encoded], note: str) -> list[Put]:
    await connection.execute(
        "insert into catalog_object (kind, name, latest) "
        f"select kind, name, 0 from {_NAMES} order by place on conflict do nothing",
        *_names(batch),
    )
    known = await _latest(connection, batch, "for update of o")
    done = [_put(item, known) for item in batch]
    new = [(item, put.version) for item, put in zip(batch, done, strict=True) if put.changed]
    await connection.execute(
        "insert into catalog_version (kind, name, version, body, body_hash, note) "
        "select kind, name, version, body::jsonb, digest, $6 "
        "from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[]) "
        "as wanted (kind, name, version, body, digest)",
        *_names([item for item, _ in new]),
        [version for _, version in new],
        [item.body.decode() for item, _ in new],
        [item.digest for item, _ in new],
        note,
    )
    # Writing shows what was archived again, as it does for one object.
    await connection.execute(
        "update catalog_object o set latest = wanted.version, archived = false "
        "from unnest($1::text[], $2::text[], $3::int[]) as wanted (kind, name, version) "
        "where (o.kind, o.name) = (wanted.kind, wanted.name) "
        "and (o.latest, o.archived) is distinct from (wanted.version, false)",
        *_names(batch),
        [put.version for put in done],
    )
    return done


def _names(batch: Sequence[Encoded]) -> tuple[list[str], list[str]]:
    return [item.kind for item in batch], [item.name for item in batch]
