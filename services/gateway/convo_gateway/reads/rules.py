"""The rules that the filters announced."""

import orjson

from convo_events.announcements import RuleAnnouncement
from convo_events.store import Connection


async def announced_rules(c: Connection) -> list[RuleAnnouncement] | None:
    """Every rule in precedence order; None before any filters service has said which there are."""
    found = await c.fetchval("select rules from announced_rules")
    if found is None:
        return None
    return [RuleAnnouncement.model_validate(rule) for rule in orjson.loads(found)]
