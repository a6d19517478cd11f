"""The mechanical rules there are, with their parameters: what a config may switch and tune."""

from fastapi import APIRouter

from convo_events.announcements import RuleAnnouncement
from convo_gateway.gateway import Here
from convo_gateway.reads.rules import announced_rules

router = APIRouter(prefix="/rules", tags=["rules"])


@router.get("")
async def list_rules(here: Here) -> list[RuleAnnouncement]:
    """Every rule in precedence order, as the filters announced it; empty before they have."""
    async with here.connections.reading() as c:
        return await announced_rules(c) or []
