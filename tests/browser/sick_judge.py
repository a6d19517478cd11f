"""A run that its judge's failures have paused, with rechecks, two judges, and people who looked at what was judged."""

from typing import Any

from convo_events.catalog import JudgeHealth
from convo_events.snapshot import Snapshot
from tests.gateway.read_model import ReadModel

SENTENCE = (
    "Judge fake/judge gave no verdict in 14 of its last 50 answers (12 unparsed, 2 truncated), limit 20 %: "
    "read its answers on the failed steps. Resume judges those that wait for it once more, and counts anew."
)


async def a_run_with_a_sick_judge(rows: ReadModel, run: str, frozen: Snapshot) -> None:
    """Write it."""
    judge = frozen.config.judge
    assert judge is not None
    judge = judge.model_copy(update={"health": JudgeHealth(), "recheck_share": 0.1})
    config = frozen.config.model_copy(update={"judge": judge})
    frozen = frozen.model_copy(update={"config": config})
    await rows.insert("snapshot", hash=frozen.hash(), body=frozen.body())
    await rows.run(
        run,
        name="Sick judge",
        snapshot=frozen.hash(),
        status="paused",
        reason="judge_sick",
        detail=SENTENCE,
        target=500,
        generated=420,
        accepted=300,
        rejected=98,
    )
    failures = [[at, "truncated" if at % 7 == 0 else "unparsed", None] for at in range(401, 415)]
    await rows.judge_health(
        run,
        scored=398,
        unparsed=12,
        truncated=2,
        mean=3.52,
        squares=260.0,
        lowest=4,
        highest=61,
        bins=[4, 0, 21, 30, 74, 102, 91, 15, 61],
        criteria={
            "natural": [398, 3.4, 300.0],
            "a_criterion_with_a_very_long_name": [398, 3.7, 90],
        },
        recent=[*([at, "scored", 3.5] for at in range(365, 401)), *failures],
        **{"pass_pass": 30, "pass_fail": 3, "fail_pass": 2, "fail_fail": 9},
        apart=15.4,
        recent_pairs=[[at, 1] for at in range(44)],
        rechecks=44,
        recheck_micro=18_400,
    )
    await rows.judge_health(run, judge="fake/second-opinion", scored=4, criteria={})
    for thread in range(40):
        low = thread % 4 == 0
        rejected: dict[str, Any] = {"status": "rejected", "reason": "judge_below_threshold"}
        rejected |= {"layer": 3, "score": 2.0}
        conversation = await rows.conversation(run, thread, **(rejected if low else {}))
        agrees = thread % 5 != 0
        decision = "accepted" if agrees != low else "rejected"
        await rows.review(conversation, 1, "ann", decision)
        if thread % 8 == 1:
            await rows.review(conversation, 2, "bo", decision if thread % 16 == 1 else "rejected")
