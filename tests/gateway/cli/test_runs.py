"""Starting, listing, showing and changing runs through a real gateway."""

import pytest

from convo_events.commands import CapRun, ControlRun, StartRun
from tests.gateway.cli.conftest import Convo
from tests.gateway.cli.world import World


@pytest.fixture
def run(online: World, convo: Convo) -> str:
    """A run that is going."""
    return str(convo("run", "start", "cheap", "--json").document["id"])


def test_an_estimate_says_total_split_expectation_and_basis(online: World, convo: Convo) -> None:
    said = convo("run", "estimate", "cheap")

    assert said.code == 0
    for part in ("Total", "Generation", "Judge", "Memory", "Roughen", "Per accepted", "defaults"):
        assert part in said.out
    assert "about" in said.out
    assert "$0.0" in said.out


def test_a_start_shows_the_estimate_and_the_id(online: World, convo: Convo) -> None:
    said = convo("run", "start", "cheap", "--count", "7", "--seed", "9", "--name", "my run")

    started = online.commands[-1]
    assert said.code == 0
    assert isinstance(started, StartRun)
    assert (started.target, started.seed, started.name) == (7, 9, "my run")
    assert f"Run {started.run} is started" in said.out
    assert said.out.index("Estimate for cheap") < said.out.index("is started")


def test_above_the_threshold_nothing_starts_without_a_yes(online: World, convo: Convo) -> None:
    before = len(online.commands)

    said = convo("run", "start", "asks-first")

    assert said.code == 4
    assert "--yes" in said.err
    assert len(online.commands) == before
    assert convo("run", "start", "asks-first", "--yes").code == 0
    assert len(online.commands) == before + 1


def test_an_unknown_config_is_not_found(online: World, convo: Convo) -> None:
    assert convo("run", "start", "nothing-such").code == 3


def test_a_list_is_json_or_aligned_text(online: World, run: str, convo: Convo) -> None:
    listed = convo("run", "list", "--status", "running", "--config", "cheap", "--json")
    text = convo("run", "list")

    assert run in [item["id"] for item in listed.document["items"]]
    header, *rows = text.out.splitlines()
    assert header.split()[:3] == ["Id", "Name", "Status"]
    assert any(row.startswith(run) for row in rows)
    assert "\x1b" not in text.out
    assert convo("run", "list", "--status", "sleeping").code == 2


def test_a_page_reads_requested_happened_produced_evidence(
    online: World, run: str, convo: Convo
) -> None:
    online.conversation(run, 0)
    online.conversation(run, 1, status="rejected", reason="stage_direction", layer=1)
    online.set(run, generated=2, accepted=1, rejected=1)

    said = convo("run", "show", run)
    document = convo("run", "show", run, "--json").document

    parts = [said.out.index(part) for part in ("Requested", "Happened", "Produced", "Evidence")]
    assert parts == sorted(parts)
    assert "stage_direction" in said.out
    assert "1 of 4 conversations" in said.out
    for part in ("Distinct-3", "1 of 1 accepted", "Words a turn, user", "Mean similarity"):
        assert part in said.out[said.out.index("\nDiversity") :]
    assert {"requested", "happened", "produced", "evidence", "judge"} <= document.keys()
    assert document["judge"]["judges"] == [], "this config has no judge"


def test_what_does_not_exist_is_not_found(online: World, convo: Convo) -> None:
    for words in (("show",), ("rejects",), ("watch",), ("pause",), ("export",)):
        assert convo("run", *words, "run-nothing").code == 3, words
    assert convo("run", "show", "../../x?y#z").code == 3
    assert convo("conversation", "show", "nothing").code == 3


def test_pause_resume_and_kick(online: World, run: str, convo: Convo) -> None:
    assert convo("run", "pause", run).out == f"Run {run} is paused\n"
    assert convo("run", "resume", run).out == f"Run {run} is running\n"
    assert "3 threads are sent again" in convo("run", "kick", run).out
    assert convo("run", "pause", run, "--json").document["status"] == "paused"


def test_a_cancel_needs_a_yes_and_is_final(online: World, run: str, convo: Convo) -> None:
    refused = convo("run", "cancel", run)

    assert refused.code == 4
    assert "--yes" in refused.err
    assert online.status(run) == "running"
    assert convo("run", "cancel", run, "--yes").code == 0
    assert online.commands[-1] == ControlRun(run=run, action="cancel")
    again = convo("run", "resume", run)
    assert again.code == 4
    assert "cancelled" in again.err


def test_a_cap_is_set_at_the_start_and_changed_later(online: World, convo: Convo) -> None:
    said = convo("run", "start", "cheap", "--cap", "2.5", "--json")
    run = said.document["id"]
    started = online.commands[-1]
    assert isinstance(started, StartRun)
    assert started.spend_cap_micro == 2_500_000

    raised = convo("run", "cap", run, "40")

    assert online.commands[-1] == CapRun(run=run, spend_cap_micro=40_000_000)
    assert f"Run {run} has a spend cap of $40.00 and is paused" in raised.out
    assert f"convo run resume {run}" in raised.out
    assert convo("run", "cap", run, "none", "--json").code == 0
    assert online.commands[-1] == CapRun(run=run, spend_cap_micro=None)
    assert convo("run", "cap", run, "lots").code == 2
    assert convo("run", "cap", run, "-1").code == 2
    assert convo("run", "cap", "run-nothing", "5").code == 3


def test_a_run_paused_for_its_cap_says_how_to_raise_it(
    online: World, run: str, convo: Convo
) -> None:
    online.set(run, status="paused", reason="spend_cap", detail="nothing left")

    said = convo("run", "show", run)

    assert f"convo run cap {run} USD" in said.out


def test_a_queued_run_is_started_now(online: World, run: str, convo: Convo) -> None:
    online.set(run, status="queued")
    assert convo("run", "start-now", run).out == f"Run {run} is running\n"
    assert online.commands[-1] == ControlRun(run=run, action="start")


def test_a_sample_states_its_price_and_shows_the_conversation(online: World, convo: Convo) -> None:
    before = len(online.commands)
    refused = convo("config", "sample", "cheap", "--index", "3")
    assert refused.code == 4
    assert "--yes" in refused.err
    assert len(online.commands) == before

    made = convo("config", "sample", "cheap", "--index", "3", "--seed", "8", "--yes")

    assert made.code == 0, made.err
    started = online.commands[-1]
    assert isinstance(started, StartRun)
    assert (started.kind, started.target, started.seed) == ("sample", 1, 8)
    assert made.out.index("Estimate for cheap") < made.out.index(f"Conversation {started.run}.0.0")
    assert "Status" in made.out
    assert "accepted" in made.out
    as_json = convo("config", "sample", "cheap", "--index", "3", "--yes", "--json")
    assert as_json.document["status"] == "accepted"
    assert started.run not in [r["id"] for r in convo("run", "list", "--json").document["items"]]
    assert convo("config", "sample", "cheap", "--index", "4", "--yes").code == 2


def test_a_conversation_shows_its_turns_without_steering_the_terminal(
    online: World, run: str, convo: Convo
) -> None:
    conversation = online.conversation(run, 5)

    said = convo("conversation", "show", conversation)

    assert said.code == 0
    assert "user:\n  How?" in said.out
    assert "\x1b" not in said.out
    assert "helpful 4" in said.out


def test_rejects_are_listed_with_their_layer(online: World, run: str, convo: Convo) -> None:
    online.conversation(run, 3, status="rejected", reason="near_duplicate", layer=2)
    online.set(run, rejected=1)

    said = convo("run", "rejects", run)

    assert "near_duplicate" in said.out
    assert "diversity" in said.out
    assert convo("run", "rejects", run, "--json").document["reasons"][0]["layer"] == 2
