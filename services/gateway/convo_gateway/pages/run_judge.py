"""How the judges of a run do."""

from fastapi import Request, Response

from convo_gateway.etags import tagged_model
from convo_gateway.gateway import Here
from convo_gateway.judge_report import frozen, judge_report
from convo_gateway.pages.runs import RunId, router
from convo_gateway.reads.judge_health import judge_rows, reviewed
from convo_gateway.reads.runs import existing_run
from convo_gateway.reads.snapshots import snapshot_body
from convo_gateway.shapes.judge_health import JudgeReport

__all__ = ["get_judge"]


@router.get("/{run}/judge", response_model=JudgeReport)
async def get_judge(run: RunId, here: Here, request: Request) -> Response:
    """Whether the judges are well: answers by state, spread of scores, agreement with themselves and with people."""
    async with here.connections.reading() as c:
        row = await existing_run(c, run)
        known = frozen(await snapshot_body(c, row["snapshot"]))
        rows, reviews = await judge_rows(c, run), await reviewed(c, run)
    return tagged_model(request, judge_report(known, rows, row["resumed_seq"], reviews))
