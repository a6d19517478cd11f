"""The list of runs as CSV."""

import csv
import io

import pytest

from tests.gateway.read_model import BEGAN, ReadModel
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


async def table(served: Served, query: str) -> list[dict[str, str]]:
    answer = await served.get(f"/runs.csv?{query}")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(answer.body.decode(), newline="")))


async def test_x07_runs_with_their_counts_and_coverage(
    served: Served, read_model: ReadModel
) -> None:
    name = '=HYPERLINK("x"), "quoted"\nand a line'
    run = await read_model.run(
        "run-table", name=name, config="tabled", accepted=3, rejected=1, failed=1, target=10
    )
    await read_model.cost(run, "assistant", unknown_calls=2, unknown_micro=50)
    await read_model.run("run-table-none", config="tabled", started_at=BEGAN)
    rows = {row["run"]: row for row in await table(served, "config=tabled")}
    one, none = rows["run-table"], rows["run-table-none"]
    assert one["name"] == f"'{name}"
    assert (one["with_verdict"], one["coverage"], one["acceptance"]) == ("5", "0.5", "0.6")
    assert (one["cost_micro"], one["unknown_calls"], one["unknown_micro"]) == ("2000000", "2", "50")
    assert (none["coverage"], none["acceptance"]) == ("0.0", ""), "no share of nothing"
    assert await table(served, "config=nothing") == []
    assert len(await table(served, "config=tabled&status=running")) == 2
    assert (await served.get("/runs.csv?config=tabled&bom=true")).body.startswith(b"\xef\xbb\xbf")
