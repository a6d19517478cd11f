"""A reject of layer 2 beside its neighbour, over REST."""

from typing import Any

import pytest

from convo_events.catalog import Example, PromptSet
from convo_events.snapshot import Snapshot
from convo_gateway.cli.client import read_as
from convo_gateway.cli.conversation import print_conversation
from convo_gateway.cli.run_page import print_rejects
from convo_gateway.reads.alike import MOST_CHARACTERS
from convo_gateway.shapes.conversations import Conversation
from convo_gateway.shapes.runs import Rejects
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served
from tests.journeys.configs import snapshot

pytestmark = pytest.mark.anyio

MINE = ("Oh \U0001f9d1 how do I descale a kettle?", "Fill it with vinegar and let it stand.")
THEIRS = ("Say, how do I descale a kettle at home?", "Just fill it with vinegar and let it boil.")


def hit(reason: str, neighbour: str, **more: Any) -> dict[str, Any]:
    known = {"layer": 2, "precedence": 10, "detail": "Most of it.", "similarity": 0.81}
    return {"reason": reason, "neighbour": neighbour, **known, **more}


def frozen_with(segment: str, *examples: Example) -> Snapshot:
    frozen = snapshot(12, threads=3)
    changes: dict[str, Any] = {"examples": examples}
    changes["segments"] = {**frozen.prompt_set.segments, "user": segment}
    prompts = PromptSet.model_validate(frozen.prompt_set.model_dump() | changes)
    return frozen.model_copy(update={"prompt_set": prompts})


async def rejected(
    served: Served, read_model: ReadModel, run: str, frozen: Snapshot | None, found: dict[str, Any]
) -> dict[str, Any]:
    """What the page is told of a conversation of a run of its own that has this hit."""
    if frozen:
        sql = "insert into snapshot (hash, body) values ($1, $2) on conflict do nothing"
        await read_model.execute(sql, frozen.hash(), frozen.body())
    await read_model.run(run, snapshot=frozen.hash() if frozen else "0" * 64)
    name = await read_model.conversation(
        run, 5, turns=MINE, status="rejected", reason=found["reason"], layer=2, hit=found
    )
    answer: dict[str, Any] = (await served.get(f"/conversations/{name}/alike")).json
    return answer


def marked(side: dict[str, Any], overlaps: list[dict[str, int]], prefix: str) -> list[str]:
    turns = {turn["number"]: turn["text"] for turn in side["turns"]}
    return [
        turns[one[f"{prefix}turn"]][one[f"{prefix}start"] : one[f"{prefix}end"]] for one in overlaps
    ]


async def test_d05_a_reject_shows_its_neighbour_and_the_words_that_both_have(
    served: Served, read_model: ReadModel
) -> None:
    other = await read_model.conversation(await read_model.run("run-other"), 3, turns=THEIRS)
    frozen = frozen_with("Ask how do I descale a kettle, please.")
    told = await rejected(served, read_model, "run-alike", frozen, hit("near_duplicate", other))

    assert (told["neighbour"], told["neighbour_run"], told["kind"]) == (
        other,
        "run-other",
        "conversation",
    )
    assert (told["similarity"], told["limit"]) == (0.81, frozen.config.diversity.near_duplicate)
    assert told["worked_out"]
    here = marked(told["mine"], told["overlaps"], "")
    assert here == ["Fill it with vinegar and let it"]
    assert marked(told["theirs"], told["overlaps"], "other_") == ["fill it with vinegar and let it"]
    first = told["mine"]["turns"][0]
    template = [first["text"][one["start"] : one["end"]] for one in first["template"]]
    assert template == ["how do I descale a kettle"]
    assert told["mine"]["of"] == told["theirs"]["of"] == 2


async def test_places_that_the_verdict_kept_are_shown_as_they_are(
    served: Served, read_model: ReadModel
) -> None:
    other = await read_model.conversation(await read_model.run("run-kept-b"), 0, turns=THEIRS)
    kept = dict(turn=1, start=0, end=4, other_turn=1, other_start=5, other_end=9)
    found = hit("near_duplicate", other, overlaps=[kept])
    told = await rejected(served, read_model, "run-kept", None, found)
    assert told["overlaps"] == [kept]
    assert not told["worked_out"]
    assert told["limit"] is None  # its snapshot is not there


async def test_a_copy_of_an_example_is_shown_beside_the_example(
    served: Served, read_model: ReadModel
) -> None:
    frozen = frozen_with("Ask something.", Example(name="kettle", turns=THEIRS))
    told = await rejected(served, read_model, "run-copy", frozen, hit("example_copy", "kettle"))
    assert (told["kind"], told["neighbour"], told["prompt_set"]) == (
        "example",
        "kettle",
        frozen.prompt_set.name,
    )
    assert told["limit"] == frozen.config.diversity.example_copy
    assert [turn["role"] for turn in told["theirs"]["turns"]] == ["user", "assistant"]
    assert "how do I descale a kettle" in marked(told["theirs"], told["overlaps"], "other_")
    assert not any(turn["template"] for turn in told["mine"]["turns"])


async def test_turns_come_in_pages_and_are_cut(served: Served, read_model: ReadModel) -> None:
    run = await read_model.run("run-paged")
    huge = await read_model.conversation(run, 0, turns=("x" * (MOST_CHARACTERS + 1), *THEIRS * 60))
    gone = hit("near_duplicate", f"{run}.77.0")
    name = await read_model.conversation(run, 1, turns=THEIRS * 60, status="rejected", hit=gone)
    told = (await served.get(f"/conversations/{name}/alike", params={"first": "118"})).json
    assert [turn["number"] for turn in told["mine"]["turns"]] == [118, 119]
    assert (told["mine"]["of"], told["theirs"]) == (120, {"turns": [], "of": 0})
    assert told["neighbour_run"] is None
    near = hit("near_duplicate", huge)
    name = await read_model.conversation(run, 2, turns=THEIRS, status="rejected", hit=near)
    told = (await served.get(f"/conversations/{name}/alike")).json
    assert len(told["theirs"]["turns"]) == 60
    first = told["theirs"]["turns"][0]
    assert (len(first["text"]), first["cut"]) == (MOST_CHARACTERS, True)


async def test_there_is_nothing_to_compare_without_a_hit_of_layer_2(
    served: Served, read_model: ReadModel
) -> None:
    name = await read_model.conversation(await read_model.run("run-plain"), 0, turns=THEIRS)
    (await served.get(f"/conversations/{name}/alike")).problem(404, "not-found")
    (await served.get("/conversations/run-x.0.0/alike")).problem(404, "not-found")
    query = {"reason": "example_copy"}
    (await served.get(f"/conversations/{name}/alike", params=query)).problem(404, "not-found")


async def test_the_last_rejects_name_the_words_or_the_neighbour(
    served: Served, read_model: ReadModel
) -> None:
    run = await read_model.run("run-last")
    near = hit("near_duplicate", "run-last.0.0", detail="d")
    acted = {"reason": "stage_direction", "layer": 1, "precedence": 70, "excerpt": "*nods*"}
    whole = {"reason": "wrong_length", "layer": 1, "precedence": 30}
    told = ((near, "81% of it."), (acted, "The user acts."), (whole, "7 turns; 4 were planned."))
    for at, (found, detail) in enumerate(told):
        await read_model.conversation(
            run, at, status="rejected", reason=found["reason"], layer=1, hit=found, detail=detail
        )
    last = (await served.get(f"/runs/{run}/rejects")).json["last"][::-1]
    assert [(one["neighbour"], one["similarity"]) for one in last] == [
        ("run-last.0.0", 0.81),
        (None, None),
        (None, None),
    ]
    assert [one["excerpt"] for one in last] == ["", "*nods*", ""]
    assert [one["detail"] for one in last] == [detail for _, detail in told]


async def test_d05_the_terminal_names_the_neighbour_and_the_words(
    served: Served, read_model: ReadModel, capsys: pytest.CaptureFixture[str]
) -> None:
    run = await read_model.run("run-terminal")
    kept = dict(turn=1, start=0, end=20, other_turn=1, other_start=5, other_end=25)
    near = hit("near_duplicate", "run-x.0.0", overlaps=[kept])
    also = {"reason": "wrong_length", "layer": 1, "precedence": 30, "detail": "2 turns."}
    name = await read_model.conversation(
        run, 0, turns=MINE, status="rejected", layer=2, hit=near, also=[also]
    )
    document = (await served.get(f"/conversations/{name}")).json
    print_conversation(read_as(Conversation, document))
    said = capsys.readouterr().out
    assert "run-x.0.0, similarity 0.810" in said
    assert f"/corpus/{name}/alike?reason=near_duplicate" in said
    assert "Fill it with vinegar (turn 1; there 1)" in said
    assert "wrong_length (layer 1): 2 turns." in said
    last = (await served.get(f"/runs/{run}/rejects")).json
    print_rejects(read_as(Rejects, last))
    assert "like run-x.0.0 (0.810)" in capsys.readouterr().out
