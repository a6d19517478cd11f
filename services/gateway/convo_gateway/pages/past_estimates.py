"""How good the estimates of a run config were."""

from statistics import fmean

from fastapi import APIRouter

from convo_gateway.gateway import Here
from convo_gateway.pages.catalog_objects import ObjectName
from convo_gateway.reads.past_estimates import past_estimates
from convo_gateway.shapes.past_estimates import PastEstimates

router = APIRouter(prefix="/run-configs", tags=["run-configs"])


@router.get("/{name}/estimates")
async def list_config_estimates(name: ObjectName, here: Here) -> PastEstimates:
    """What was estimated for the ended runs of a config beside what they spent. A config without runs has none."""
    async with here.connections.reading() as c:
        items = await past_estimates(c, name)
    errors = [item.error for item in items if item.error is not None]
    return PastEstimates(
        items=items,
        mean_error=fmean(map(abs, errors)) if errors else None,
        last_error=errors[0] if errors else None,
    )
