"""Who names an object of the catalog: run configs as they are now, and runs by the config that they froze."""

from dataclasses import dataclass

import orjson

from convo_events.catalog import RunConfig
from convo_events.store import Connection
from convo_gateway.catalog.naming import named_places, naming_patterns
from convo_gateway.shapes.catalog_history import Use, Uses


@dataclass(frozen=True, slots=True)
class _Runs:
    runs: int | None
    unfinished: int | None


async def uses_of(c: Connection, kind: str, name: str) -> Uses:
    """What names an object, and how many generation runs froze it."""
    if kind == "run-configs":
        items: list[Use] = []
        runs = await _runs_of_config(c, name)
    else:
        items = await _naming_configs(c, kind, name)
        runs = await _runs_by_config(c, kind, name)
    return Uses(items=items, runs=runs.runs, unfinished_runs=runs.unfinished)


async def _naming_configs(c: Connection, kind: str, name: str) -> list[Use]:
    rows = await c.fetch(
        "select o.name, o.latest, v.body::text as body from catalog_object o "
        "join catalog_version v on (v.kind, v.name, v.version) = (o.kind, o.name, o.latest) "
        "where o.kind = 'run-configs' and not o.archived and v.body @> any($1::text[]::jsonb[]) "
        "order by o.name",
        _patterns(kind, name),
    )
    return [
        Use(kind="run-configs", name=row["name"], version=row["latest"], pointer=place.pointer)
        for row in rows
        for place in named_places(RunConfig.model_validate_json(row["body"]))
        if (place.kind, place.name) == (kind, name)
    ]


async def _runs_of_config(c: Connection, name: str) -> _Runs:
    row = await c.fetchrow(
        "select count(*) as runs, count(*) filter (where ended_at is null) as unfinished "
        "from run_view where config = $1 and kind = 'generation'",
        name,
    )
    assert row is not None, "an aggregate has one row"
    return _Runs(row["runs"], row["unfinished"])


async def _runs_by_config(c: Connection, kind: str, name: str) -> _Runs:
    """Runs whose config named the object in the version that was frozen.

    A run of a config that this catalog does not have, such as after a rebuild beside a new one, may have frozen
    anything: then nothing is known.
    """
    row = await c.fetchrow(
        "select coalesce(sum(r.runs) filter (where v.version is not null), 0)::bigint as runs, "
        "coalesce(sum(r.unfinished) filter (where v.version is not null), 0)::bigint as unfinished, "
        "count(*) filter (where v.version is null) as foreign_configs "
        "from (select config, config_version, count(*) as runs, "
        "count(*) filter (where ended_at is null) as unfinished "
        "from run_view where kind = 'generation' group by config, config_version) r "
        "left join catalog_version v on (v.kind, v.name, v.version) "
        "= ('run-configs', r.config, r.config_version) "
        "where v.version is null or v.body @> any($1::text[]::jsonb[])",
        _patterns(kind, name),
    )
    assert row is not None, "an aggregate has one row"
    if row["foreign_configs"]:
        return _Runs(None, None)
    return _Runs(row["runs"], row["unfinished"])


def _patterns(kind: str, name: str) -> list[str]:
    return [orjson.dumps(pattern).decode() for pattern in naming_patterns(kind, name)]
