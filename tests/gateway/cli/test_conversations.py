"""Finding conversations from the command line, as the page Corpus finds them."""

import pytest

from tests.gateway.cli.conftest import Convo
from tests.gateway.cli.world import World


@pytest.fixture
def run(online: World, convo: Convo) -> str:
    """A run with two accepted and one rejected conversation in the corpus."""
    run = str(convo("run", "start", "cheap", "--json").document["id"])
    online.conversation(run, 0)
    online.conversation(run, 1, cost_micro=9_000_000)
    online.conversation(run, 2, status="rejected", reason="stage_direction", layer=1)
    online.list(run)
    return run


def test_a_list_is_narrowed_sorted_and_counted(online: World, run: str, convo: Convo) -> None:
    said = convo("conversation", "list", "--run", run, "--status", "accepted", "--sort", "-cost")
    header, *rows = said.out.splitlines()
    assert (said.code, header.split()[:2]) == (0, ["Id", "Verdict"])
    assert [row.split()[0] for row in rows] == [f"{run}-1", f"{run}-0"]
    assert "2 shown of 2 that match, of 3." in said.err

    dear = convo("conversation", "list", "--run", run, "--cost", "8..", "--json")
    assert [item["id"] for item in dear.document["items"]] == [f"{run}-1"]
    reason = convo("conversation", "list", "--reason", "stage_direction", "--run", run, "--json")
    assert [item["id"] for item in reason.document["items"]] == [f"{run}-2"]


def test_what_cannot_be_is_named(online: World, run: str, convo: Convo) -> None:
    ranged = convo("conversation", "list", "--turns", "many")
    assert (ranged.code, "--turns many is no range" in ranged.err) == (2, True)
    assert convo("conversation", "list", "--status", "melted").code == 2
    viewed = convo("conversation", "list", "--view", "Mine")
    assert (viewed.code, "There is no saved view Mine" in viewed.err) == (3, True)
