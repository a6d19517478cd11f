"""What a run froze, beside what the catalog has now."""

from collections.abc import Mapping

from convo_events.store import Connection
from convo_gateway.shapes.run_parts import FrozenObject


async def frozen_objects(c: Connection, versions: Mapping[str, int]) -> list[FrozenObject]:
    """Each frozen version (by ``kind/name``) with the latest one, by kind and name."""
    wanted = [(*place.split("/", 1), version) for place, version in sorted(versions.items())]
    rows = await c.fetch(
        """
        select f.kind, f.name, f.version, o.latest, coalesce(o.archived, false) as archived,
               o.latest is null or was.body_hash is distinct from now.body_hash as changed
        from unnest($1::text[], $2::text[], $3::int[]) with ordinality f (kind, name, version, place)
        left join catalog_object o on (o.kind, o.name) = (f.kind, f.name)
        left join catalog_version was on (was.kind, was.name, was.version) = (f.kind, f.name, f.version)
        left join catalog_version now on (now.kind, now.name, now.version) = (o.kind, o.name, o.latest)
        order by f.place
        """,
        [kind for kind, _, _ in wanted],
        [name for _, name, _ in wanted],
        [version for _, _, version in wanted],
    )
    return [FrozenObject(**dict(row)) for row in rows]
