"""The room: looks at whole conversations, layer 1 and layer 2, and says everything it found."""

import asyncio
import random
import time
from collections.abc import Sequence

from convo_events import ids
from convo_events.coalesce import Coalescer
from convo_events.conversations import Conversation
from convo_events.errors import Invalid
from convo_events.masking import Mask
from convo_events.outcomes import Filtered, StepFailed
from convo_events.overlap import near_duplicate_hit
from convo_events.service import Parts
from convo_events.similarity import encode_signature
from convo_events.snapshot import Snapshot
from convo_events.snapshots import Snapshots
from convo_events.spoken import Spoken
from convo_events.steps import StepRequested
from convo_events.steps_queue import Delivery, StepQueue
from convo_events.store import outage_named
from convo_events.telemetry import span
from convo_filters.announcing import announce_rules
from convo_filters.diversity import example_copy
from convo_filters.layers import RuleSet
from convo_filters.neighbours import Neighbours, Subject
from convo_filters.replay.room import Replays
from convo_filters.second_look import SecondLook
from convo_models.draws import Draws
from convo_models.transcripts import Transcript, Transcripts

KEPT = 32


class Filters:
    """Stage ``filter``. Deterministic but for what was accepted meanwhile, and safe to repeat."""

    def __init__(self, parts: Parts) -> None:
        """Take the parts."""
        settings = parts.settings
        self._parts = parts
        self._snapshots = Snapshots(parts.pool)
        self._transcripts = Transcripts(parts.pool)
        self._neighbours = Neighbours(parts.pool, self._transcripts)
        self._controls: Coalescer[str, tuple[str, int]] = Coalescer(
            self._read_controls, most=200, linger_s=0.002
        )
        self._prepared: dict[str, tuple[RuleSet, Mask]] = {}
        self._draws = Draws()
        SecondLook(parts)
        self._queue = StepQueue(
            parts.client,
            "filter",
            self._handle,
            self._give_up,
            slots=settings.slots,
            ack_wait_s=settings.ack_wait_s,
            rng=random.Random(settings.owner),
            paid=False,
        )

    async def run(self) -> None:
        """Say which rules there are, then take steps until stopped, and finish what is under way; replays beside."""
        await announce_rules(self._parts)
        replays = asyncio.create_task(Replays(self._parts).run())
        pulling = asyncio.create_task(self._queue.run())
        stop = asyncio.create_task(self._parts.stopping.wait())
        await asyncio.wait({pulling, stop}, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        self._queue.stop()
        await pulling
        await replays

    async def _handle(self, delivery: Delivery) -> None:
        step = delivery.step
        if await self._controls.ask(step.run) != ("running", step.epoch):
            return  # a resume asks again
        started = time.monotonic()
        with (
            span("convo.filters.check", delivery.envelope.trace, run=step.run),
            self._parts.metrics.inflight.labels("filter").track_inprogress(),
        ):
            outcome = await self._look(step)
            letter = self._parts.letter(
                ids.outcome_id(step.run, step.thread, step.step, 0),
                outcome,
                cause=delivery.envelope.id,
                trace=delivery.envelope.trace,
            )
            await self._parts.publisher.append([letter])
        self._parts.metrics.steps.labels("filter", outcome.type).inc()
        self._parts.metrics.stage_seconds.labels("filter").observe(time.monotonic() - started)

    async def _look(self, step: StepRequested) -> Filtered | StepFailed:
        snapshot = await self._snapshots.get(step.snapshot)
        try:
            rules, mask = self._prepare(step.snapshot, snapshot)
        except Invalid as error:
            return _failed(step, str(error))
        name = ids.conversation_id(step.run, step.thread, step.conversation)
        transcript = await self._transcripts.get(name)
        bodies = [turn.text for turn in transcript.turns]
        drawn = self._draws.get(step, snapshot)
        spoken = Spoken()
        hits = list(rules.check(_conversation(transcript, snapshot, drawn.turns), drawn, spoken))
        subject = Subject.of(step.run, snapshot.config, spoken.shingles(bodies), mask)
        seen = await self._neighbours.look(subject)
        if seen.nearest is not None:
            hits.append(near_duplicate_hit(seen.nearest, bodies, seen.turns, mask.shingles))
        copies = snapshot.config.diversity.example_copy
        if copies is not None:
            copied = example_copy(bodies, snapshot.prompt_set, copies, spoken)
            hits += [copied] if copied else []
        return Filtered.of(
            step,
            hits=tuple(sorted(hits, key=lambda hit: (hit.layer, hit.precedence))),
            signature=encode_signature(subject.own_bands),
            fingerprint=subject.fingerprint.encode(),
            words=sum(len(spoken.words(body)) for body in bodies),
            looked_at=seen.position,
        )

    def _prepare(self, content_hash: str, snapshot: Snapshot) -> tuple[RuleSet, Mask]:
        if content_hash not in self._prepared:
            if len(self._prepared) >= KEPT:
                self._prepared.clear()
            self._prepared[content_hash] = (RuleSet.of(snapshot), Mask.of(snapshot))
        return self._prepared[content_hash]

    async def _read_controls(self, runs: Sequence[str]) -> list[tuple[str, int]]:
        async with outage_named():
            rows = await self._parts.pool.fetch(
                "select run, status, epoch from run_control where run = any($1)", list(set(runs))
            )
        known = {row["run"]: (row["status"], row["epoch"]) for row in rows}
        return [known.get(run, ("unknown", 0)) for run in runs]

    async def _give_up(self, delivery: Delivery, why: str) -> None:
        step = delivery.step
        self._parts.metrics.dead_letters.labels("filter").inc()
        letter = self._parts.letter(
            f"f:{step.run}:{step.thread}:{step.step}:{step.emit}",
            _failed(step, why),
            cause=delivery.envelope.id,
            trace=delivery.envelope.trace,
        )
        await self._parts.publisher.append([letter])


def _conversation(transcript: Transcript, snapshot: Snapshot, planned: int) -> Conversation:
    """What the rules look at; a cut turn counts as cut unless its role's config takes such turns."""
    cut = "length" in transcript.finishes and not snapshot.takes_cut
    return Conversation(
        turns=transcript.turns,
        finish="length" if cut else "stop",
        planned_turns=planned,
        language=snapshot.config.language,
    )


def _failed(step: StepRequested, detail: str) -> StepFailed:
    return StepFailed.of(
        step,
        reason="pipeline_failed",
        detail=detail[:1_000],
        retryable=False,
    )
