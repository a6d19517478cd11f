"""Tell the others which rules there are, where what they know is something else."""

import hashlib

import orjson

from convo_events.announcements import RulesAnnounced
from convo_events.service import Parts
from convo_events.store import outage_named
from convo_filters.rules_catalog import announce


async def announce_rules(parts: Parts) -> bool:
    """Record the rules of this version; False where they are known already.

    The id is derived from what is said and from what was known before, so that replicas which start together say it
    once, and going back to an older version is said again.

    Raises:
        Unavailable: when a part is away.
    """
    event = RulesAnnounced(rules=tuple(announce()))
    rules = [rule.model_dump(mode="json") for rule in event.rules]
    async with outage_named():
        row = await parts.pool.fetchrow("select rules, seq from announced_rules")
    if row is not None and orjson.loads(row["rules"]) == rules:
        return False
    said = orjson.dumps([rules, row["seq"] if row else 0], option=orjson.OPT_SORT_KEYS)
    letter = parts.letter(f"a:rules:{hashlib.sha256(said).hexdigest()[:32]}", event)
    await parts.publisher.append([letter])
    return True
