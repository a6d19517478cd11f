"""What ended runs of a config used and made, for the estimate of the next one."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar, cast

import asyncpg

from convo_events.store import Connection
from convo_events.usage import CallRole
from convo_gateway.judge_calls import Sitting
from convo_gateway.past_runs import History, PastRun, RoleHistory

_RUNS = 20
"""Ended runs that are looked at, the newest ones."""
_MOST_KEPT = 2_000
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What a run froze, as far as estimates need it."""

    prompt_set: str = ""
    """With its version; empty where not known."""
    roughened: float = 0.0
    """Share of the conversations to be roughened."""
    judge_calls: float = 1.0


async def history_of(c: Connection, config: str) -> History:
    """Ended runs of the config of that name. Samples, failed runs and those without a verdict tell nothing."""
    runs = await c.fetch(
        """
        select r.run, r.mode, r.accepted, r.failed, r.accepted + r.rejected + r.failed as made, r.status, r.target,
               r.lanes, r.snapshot, extract(epoch from r.ended_at - r.started_at)::float8 as seconds
        from run_view r
        where r.config = $1 and r.kind = 'generation' and r.status in ('completed', 'cancelled')
              and r.accepted + r.rejected + r.failed > 0
        order by r.planned_at desc limit $2
        """,
        config,
        _RUNS,
    )
    names = [row["run"] for row in runs]
    turns = await _TURNS.read(names, partial(_turns, c))
    layers = await _by_run(
        c,
        """
        select run, layer, sum(n)::bigint as n from reject_count
        where run = any($1) and layer > 0 group by run, layer
        """,
        names,
    )
    used = await _by_run(
        c,
        """
        select run, role, backend, model, calls, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
               cached_verdicts
        from run_cost where run = any($1)
        """,
        names,
    )
    frozen = await _FROZEN.read((row["snapshot"] for row in runs), partial(_frozen, c))
    return History(
        tuple(
            _past(
                row,
                turns=turns.get(row["run"], 0),
                layers=layers.get(row["run"], ()),
                used=used.get(row["run"], ()),
                frozen=frozen.get(row["snapshot"], _Inputs()),
            )
            for row in runs
        )
    )


class _Settled(dict[str, _Value]):
    """What never changes once it was read, such as what an ended run made; the oldest goes when there is too much."""

    async def read(
        self, names: Iterable[str], missing: Callable[[list[str]], Awaitable[dict[str, _Value]]]
    ) -> dict[str, _Value]:
        """The values of the names that have one."""
        wanted = list(dict.fromkeys(names))
        if unknown := [name for name in wanted if name not in self]:
            self.update(await missing(unknown))
        found = {name: self[name] for name in wanted if name in self}
        for name in list(self)[: max(0, len(self) - _MOST_KEPT)]:
            del self[name]
        return found


_TURNS = _Settled[int]()
_FROZEN = _Settled[_Inputs]()


async def _turns(c: Connection, runs: list[str]) -> dict[str, int]:
    """Planned turns of the conversations that ended, by run."""
    rows = await c.fetch(
        """
        select run, sum(planned_turns)::bigint as turns from conversation
        where run = any($1) and status in ('accepted', 'rejected', 'failed') group by run
        """,
        runs,
    )
    return {row["run"]: row["turns"] for row in rows}


async def _frozen(c: Connection, hashes: list[str]) -> dict[str, _Inputs]:
    """What the snapshots of these hashes froze."""
    rows = await c.fetch(
        """
        select hash, body #>> '{config,prompt_set}' as prompts,
               body -> 'versions' ->> ('prompt-sets/' || (body #>> '{config,prompt_set}')) as version,
               (body #>> '{config,roughen,share}')::float8 as share,
               coalesce((body #>> '{config,judge,samples}')::int, 1) as samples,
               coalesce(jsonb_array_length(body #> '{config,judge,panel}'), 0) as panel,
               body #> '{config,judge,comparison}' is not null as compared,
               coalesce((body #>> '{config,judge,recheck_share}')::float8, 0) as rechecked
        from (select hash, convert_from(body, 'UTF8')::jsonb as body from snapshot where hash = any($1)) frozen
        """,
        hashes,
    )
    found = {}
    for row in rows:
        prompts = "" if row["version"] is None else f"{row['prompts']} {row['version']}"
        sitting = Sitting(row["samples"], 1 + row["panel"], row["compared"], row["rechecked"])
        found[row["hash"]] = _Inputs(prompts, row["share"] or 0.0, sitting.calls)
    return found


async def _by_run(c: Connection, sql: str, names: list[str]) -> dict[str, list[asyncpg.Record]]:
    found: dict[str, list[asyncpg.Record]] = {}
    for row in await c.fetch(sql, names):
        found.setdefault(row["run"], []).append(row)
    return found


def _past(
    row: asyncpg.Record,
    *,
    turns: int,
    layers: Sequence[asyncpg.Record],
    used: Sequence[asyncpg.Record],
    frozen: _Inputs,
) -> PastRun:
    roles: dict[CallRole, list[RoleHistory]] = {}
    for part in used:
        roles.setdefault(cast(CallRole, part["role"]), []).append(
            RoleHistory(
                calls=part["calls"],
                input_tokens=part["input_tokens"],
                output_tokens=part["output_tokens"],
                cached_tokens=part["cached_tokens"],
                cache_write_tokens=part["cache_write_tokens"],
                backend=part["backend"],
                model=part["model"],
                from_cache=part["cached_verdicts"],
            )
        )
    return PastRun(
        mode=row["mode"],
        made=row["made"],
        accepted=row["accepted"],
        rejected={part["layer"]: part["n"] for part in layers},
        failed=row["failed"],
        turns=turns,
        roles={role: tuple(parts) for role, parts in roles.items()},
        completed=row["status"] == "completed",
        prompt_set=frozen.prompt_set,
        roughened=frozen.roughened,
        judge_calls=frozen.judge_calls,
        lanes=row["lanes"],
        target=row["target"],
        seconds=row["seconds"],
    )
