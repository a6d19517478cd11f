"""A gateway in front of a read model with ten thousand runs, without the services that would make them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from convo_gateway.stack.infrastructure import Infrastructure
from tests.browser.site import Loop
from tests.gateway.read_model import BEGAN, ReadModel
from tests.gateway.serving import make_streams, new_database, serving

MANY = 10_000
_COPIES = """
insert into run_view select (jsonb_populate_record(v, jsonb_build_object(
  'run', 'run-' || lpad(n::text, 5, '0'), 'name', 'run number ' || n, 'seq', n,
  'config', case when n % 10 = 0 then 'rare' else 'quick' end,
  'planned_at', v.planned_at + n * interval '1 minute', 'started_at', v.planned_at + n * interval '1 minute',
  'status', case when n % 100 = 0 then 'running' when n % 7 = 0 then 'failed' else 'completed' end,
  'target', 100, 'accepted', n % 90, 'rejected', 5, 'failed', 2, 'generated', n % 90 + 7))).*
from run_view v, generate_series(1, $1) n where v.run = 'run-00000'
"""


@dataclass
class LongList:
    """Where the list is, and a way to change it."""

    url: str
    loop: Loop
    read_model: ReadModel

    def set_run(self, run: str, **changes: object) -> None:
        self.loop.run(self.read_model.set_run(run, **changes))


@contextmanager
def a_list(infrastructure: Infrastructure, runs: int, **env: str) -> Iterator[LongList]:
    """A gateway whose list has so many runs; `env` is told to it beside where its parts are."""
    loop = Loop()
    try:
        loop.run(make_streams(infrastructure))
        database = loop.run(new_database(infrastructure))
        environ = infrastructure.env("gateway", database_url=database) | env
        context = serving(environ, database)
        served = loop.run(context.__aenter__())
        try:
            loop.run(served.until_ready())
            if runs:
                loop.run(served.read_model.run("run-00000", status="completed"))
                ended = BEGAN + timedelta(minutes=9)
                loop.run(served.read_model.set_run("run-00000", ended_at=ended))
                loop.run(served.read_model.execute(_COPIES, runs - 1))
            yield LongList(served.url, loop, served.read_model)
        finally:
            loop.run(context.__aexit__(None, None, None))
    finally:
        loop.close()
