"""Layer 1 for people: what the rules of a run would say of turns that somebody is about to change."""

import asyncio

from faststream.nats.subscriber.usecases import LogicSubscriber
from nats.aio.msg import Msg

from convo_events.conversations import Conversation
from convo_events.errors import ConvoError
from convo_events.plan import draw
from convo_events.second_look import Look, Looked
from convo_events.service import Parts
from convo_events.snapshots import Snapshots
from convo_events.subjects import LOOK
from convo_filters.layers import RuleSet

KEPT = 8
"""Rule sets kept ready."""


class SecondLook:
    """Answers looks; any replica may."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts, and listen as soon as their broker starts."""
        self._snapshots = Snapshots(parts.pool)
        self._rules: dict[str, RuleSet] = {}
        self._listen(parts)

    def _listen(self, parts: Parts) -> LogicSubscriber[Msg]:
        subscriber = parts.broker.subscriber(LOOK, queue="filters")

        async def answer(look: Look) -> Looked:
            return await self.look(look)

        subscriber(answer)
        return subscriber

    async def look(self, look: Look) -> Looked:
        """Every rule's first finding in the turns; an answer with a message where it cannot be done."""
        try:
            snapshot = await self._snapshots.get(look.snapshot)
            if look.snapshot not in self._rules:
                if len(self._rules) >= KEPT:
                    self._rules.clear()
                self._rules[look.snapshot] = RuleSet.of(snapshot)
            drawn = draw(snapshot, look.thread, look.conversation)
        except (ConvoError, IndexError) as error:
            return Looked(message=str(error)[:1_000])
        conversation = Conversation(
            turns=look.turns,
            finish="length" if look.cut and not snapshot.takes_cut else "stop",
            planned_turns=drawn.turns,
            language=snapshot.config.language,
        )
        rules = self._rules[look.snapshot]
        return Looked(hits=await asyncio.to_thread(rules.check, conversation, drawn))
