"""What judges said, of one conversation and of a run: over REST, and as a terminal shows it."""

from datetime import UTC, datetime

import orjson
import pytest

from convo_events.catalog import Judging, PairComparison, RoleModel
from convo_events.conversations import JudgeTally, Tally
from convo_gateway.cli.conversation import print_conversation
from convo_gateway.cli.judgements import avoided_text, compared_text, options_text
from convo_gateway.shapes.conversations import Conversation
from convo_gateway.shapes.counts import Avoided
from convo_gateway.shapes.judging import Comparisons
from convo_gateway.shapes.runs import JudgeRequested
from tests.gateway.read_model import ReadModel
from tests.gateway.serving import Served
from tests.journeys.configs import snapshot

pytestmark = pytest.mark.anyio
AT = datetime(2026, 3, 1, tzinfo=UTC)
TALLY = Tally(
    reducer="median",
    scored=3,
    planned=6,
    passing=2,
    judges=(
        JudgeTally(judge="fake/judge", score=4.0, scored=2, asked=2),
        JudgeTally(judge="fake/writer", score=2.5, scored=1, asked=2),
    ),
    compared="undecided",
)
NO_CALLS = (
    *("failed_calls", "unknown_calls", "unpriced_calls", "estimated_calls", "input_tokens"),
    *("cached_tokens", "output_tokens", "reasoning_tokens", "unknown_micro", "latency_ms"),
)
SCORES = orjson.dumps([{"name": "natural", "score": 4.0, "why": "Reads well."}]).decode()


async def judgement(read_model: ReadModel, conversation: str, step: int, **changes: object) -> None:
    row = {
        "conversation": conversation,
        "step": step,
        "run": conversation.split(".")[0],
        "purpose": "verdict",
        "seat": 0,
        "sample": 0,
        "judge": "fake/judge",
        "state": "scored",
        "score": 4.0,
        "better": "",
        "criteria": SCORES,
        **dict.fromkeys(("why", "reason", "detail", "note", "cached_from"), ""),
        "avoided_micro": None,
        "at": AT,
        "seq": step,
    }
    await read_model.insert("judgement", **row | changes)


async def with_judges(read_model: ReadModel, run: str, target: int) -> str:
    """A run with every option, and a conversation that has been through all of it."""
    frozen = snapshot(target)
    judge = frozen.config.judge
    assert judge is not None
    options = {
        "samples": 3,
        "reducer": "median",
        "panel": [RoleModel(backend="fake", model="writer").model_dump()],
        "comparison": PairComparison(example="greeting", worse="reject").model_dump(),
        "recheck_share": 0.1,
        "cache": True,
    }
    judging = Judging.model_validate({**judge.model_dump(), **options})
    frozen = frozen.model_copy(
        update={"config": frozen.config.model_copy(update={"judge": judging})}
    )
    await read_model.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    await read_model.run(run, snapshot=frozen.hash())
    name = await read_model.conversation(
        run, 0, turns=("Hi", "Hello"), score=3.25, tally=TALLY.model_dump_json(), criteria=SCORES
    )
    await judgement(read_model, name, 4, cached_from="run-old.0.0", avoided_micro=350)
    broken = {"score": None, "criteria": "[]"}
    await judgement(
        read_model,
        name,
        5,
        seat=1,
        state="unparsed",
        detail="no JSON",
        reason="judge_unparsed",
        **broken,
    )
    await judgement(read_model, name, 6, sample=1, note="the judge also said pass: False")
    compared = {
        "purpose": "comparison",
        "state": "compared",
        "better": "reference",
        "why": "B helps.",
    }
    await judgement(read_model, name, 7, sample=1, **broken, **compared)
    await judgement(read_model, name, 8, purpose="recheck", score=1.0)
    return name


async def test_a_conversation_shows_every_answer_and_how_the_verdict_came_about(
    served: Served, read_model: ReadModel, capsys: pytest.CaptureFixture[str]
) -> None:
    name = await with_judges(read_model, "run-judges", 4171)
    answer = (await served.get(f"/conversations/{name}")).json
    assert [one["step"] for one in answer["judgements"]] == [4, 5, 6, 7, 8]
    assert answer["judgements"][0]["cached_from"] == "run-old.0.0"
    assert (answer["tally"]["spread"], answer["tally"]["asked"]) == (1.5, 4)

    print_conversation(Conversation.model_validate(answer))
    said = capsys.readouterr().out
    for part in (
        "median: 3 of 6 planned samples scored, 2 of them pass; 1 could not be read; 2 left out",
        "fake/judge 4.00 (2 of 2), fake/writer 2.50 (1 of 2); spread 1.50",
        "undecided: the answer changed with the order",
        "the judge also said pass: False",
        "4.00, from run-old.0.0",
        "unparsed",
        "comparison, example first",
        "recheck (not counted)",
    ):
        assert part in said


async def test_a_run_shows_comparisons_with_their_population_and_what_the_cache_avoided(
    served: Served, read_model: ReadModel
) -> None:
    await with_judges(read_model, "run-options", 4172)
    for outcome, n in (("better", 5), ("worse", 2), ("undecided", 3)):
        await read_model.insert("run_comparison", run="run-options", outcome=outcome, n=n)
    counts = dict.fromkeys(NO_CALLS, 0)
    await read_model.insert(
        "run_cost",
        run="run-options",
        role="judge",
        backend="fake",
        model="judge",
        calls=2,
        cost_micro=700,
        cached_verdicts=12,
        avoided_micro=4_200,
        avoided_unpriced=0,
        **counts,
    )
    page = (await served.get("/runs/run-options")).json
    cost, asked = page["produced"]["cost"], page["requested"]["judge"]
    assert cost["avoided"] == {"verdicts": 12, "micro": 4_200, "unpriced": 0}
    assert cost["total"]["known_micro"] == cost["split"]["judge"]["known_micro"] == 700
    assert (asked["samples"], asked["panel"], asked["cache"]) == (3, ["fake/writer"], True)
    found = Comparisons.model_validate(page["produced"]["comparisons"])
    assert (found.compared, found.undecided) == (10, 3)
    assert "of 10 compared: 5 better, 2 worse (rejected), 0 tie, 3 undecided by order" in (
        compared_text(found)
    )
    assert "panel fake/writer; compared with greeting" in options_text(
        JudgeRequested.model_validate(asked)
    )


async def test_a_run_without_options_says_nothing_of_them(
    served: Served, read_model: ReadModel
) -> None:
    frozen = snapshot(4173)
    await read_model.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    run = await read_model.run("run-plain-judge", snapshot=frozen.hash())
    page = (await served.get(f"/runs/{run}")).json
    assert (page["produced"]["cost"]["avoided"], page["produced"]["comparisons"]) == (None, None)
    assert options_text(JudgeRequested.model_validate(page["requested"]["judge"])) == ""
    name = await read_model.conversation(run, 0)
    answer = (await served.get(f"/conversations/{name}")).json
    assert (answer["judgements"], answer["tally"]) == ([], None)


async def test_what_is_not_known_of_an_avoided_cost_is_said() -> None:
    assert avoided_text(Avoided(verdicts=12, micro=4_200, unpriced=0)) == (
        "12 verdicts from the cache, $0.0042 avoided"
    )
    assert "not known" in avoided_text(Avoided(verdicts=2, micro=0, unpriced=2))
