"""How runs end, and what their target counts, over REST and in the terminal."""

import pytest

from convo_gateway.cli.client import read_as
from convo_gateway.cli.run_page import print_run
from convo_gateway.shapes.runs import Rejects, Run
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served

pytestmark = pytest.mark.anyio


async def printed(served: Served, run: str) -> Run:
    """The page of a run, which the terminal has printed."""
    page = read_as(Run, (await served.get(f"/runs/{run}")).json)
    rejects = read_as(Rejects, (await served.get(f"/runs/{run}/rejects")).json)
    print_run(page, rejects)
    return page


async def test_g03_a_run_that_accepts_nothing_ends_and_says_why(
    served: Served, read_model: ReadModel, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = {"status": "completed", "target": 4, "generated": 4, "rejected": 3, "failed": 1}
    run = await read_model.run("run-none", closed=4, **ended)
    await read_model.reason(run, "stage_direction", 1, 70, 3)
    await read_model.reason(run, "malformed_output", 0, 1, 1)
    page = await printed(served, run)
    said = capsys.readouterr().out
    assert (page.status, page.accepted, page.happened.why_not_moving) == ("completed", 0, None)
    assert "Nothing accepted" in said
    assert "stage_direction: 3 (layer 1 mechanical, rejected)" in said
    assert "malformed_output: 1 (layer 0 pipeline, failed)" in said


async def test_g05_the_target_counts_conversations_and_what_is_expected_stands_beside_it(
    served: Served, read_model: ReadModel, capsys: pytest.CaptureFixture[str]
) -> None:
    made = {"status": "completed", "target": 10, "generated": 10, "accepted": 7, "rejected": 3}
    run = await read_model.run("run-target", expected_accepted=8.0, closed=4, **made)
    page = await printed(served, run)
    said = capsys.readouterr().out
    assert page.requested.conversations.value == 10
    assert page.requested.expected_accepted == 8
    assert (page.produced.accepted.value, page.produced.accepted.of) == (7, 10)
    assert "8 accepted" in said
    assert "Nothing accepted" not in said
