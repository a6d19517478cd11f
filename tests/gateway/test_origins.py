"""A conversation that was made elsewhere says which row of which file it was, and what else stood there."""

import pytest

from convo_events.snapshot import ImportSource
from convo_gateway.cli.conversation import print_conversation
from convo_gateway.shapes.conversations import Conversation
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served
from tests.journeys.configs import snapshot

pytestmark = pytest.mark.anyio
SOURCE = ImportSource(
    id="imp-1", name="old \u202e.jsonl", sha256="b" * 64, count=9, turns=18, characters=90
)
METADATA = {"system": "Be kind.\n<script>", "topic": {"of": ["bees", None]}, "\x1b[31m": 1}


async def test_the_row_is_told_by_the_api_and_in_the_terminal(
    served: Served, read_model: ReadModel, capsys: pytest.CaptureFixture[str]
) -> None:
    frozen = snapshot(3).model_copy(update={"source": SOURCE})
    await read_model.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    run = await read_model.run("run-origin", snapshot=frozen.hash(), mode="import")
    name = await read_model.conversation(run, 0, turns=("Hi", "Hello"), planned_turns=0)
    await read_model.origin(name, 1_017, metadata=METADATA, left_out=["picture"])

    found = (await served.get(f"/conversations/{name}")).json
    assert found["origin"] == {
        "source": "imp-1",
        "name": SOURCE.name,
        "row": 1_017,
        "metadata": METADATA,
        "left_out": ["picture"],
        "is_there": False,
    }
    listed = (await served.get("/conversations", params={"run": run})).json["items"]
    assert all("origin" not in one for one in listed)

    print_conversation(Conversation.model_validate(found))
    said = " ".join(capsys.readouterr().out.split())
    assert "From Row 1,017 of old \N{REPLACEMENT CHARACTER}.jsonl" in said
    assert "Import imp-1, which is deleted" in said
    assert "System message Be kind. <script>" in said
    assert 'topic {"of": ["bees", null]}' in said
    assert "Not kept picture" in said
    assert "\x1b" not in said


async def test_what_a_run_made_has_no_origin_and_a_lost_snapshot_no_name(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-no-origin")
    made, lost = [await read_model.conversation(run, thread) for thread in range(2)]
    await read_model.insert("import_source", id="imp-9", name="x", format="jsonl", status="ready")
    await read_model.origin(lost, 1, source="imp-9")
    assert (await served.get(f"/conversations/{made}")).json["origin"] is None
    origin = (await served.get(f"/conversations/{lost}")).json["origin"]
    assert (origin["name"], origin["is_there"]) == (None, True)
