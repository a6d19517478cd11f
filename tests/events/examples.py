"""One example of every event, with every optional part filled somewhere; the golden files are made of these."""

from datetime import UTC, datetime

from convo_events.announcements import RuleAnnouncement, RulesAnnounced
from convo_events.codec import Event
from convo_events.conversations import Hit, Overlap, Turn
from convo_events.envelope import Envelope
from convo_events.outcomes import (
    CallAborted,
    CallLost,
    Compared,
    CriterionScore,
    Filtered,
    Generated,
    Judged,
    Kept,
    Origin,
    Remembered,
    Rewritten,
    Roughened,
    StepBlocked,
    StepDeferred,
    StepFailed,
)
from convo_events.reviews import ConversationReviewed, Edit
from convo_events.runs import (
    RunCancelled,
    RunCancelRequested,
    RunCapChanged,
    RunCompleted,
    RunFailed,
    RunKicked,
    RunPaused,
    RunPlanned,
    RunResumed,
    RunStarted,
)
from convo_events.steps import (
    ConversationAccepted,
    ConversationFailed,
    ConversationRejected,
    Drawn,
    LeaderElected,
    StepRequested,
)
from convo_events.usage import Call, Usage

ENVELOPE = Envelope(
    id="o:run-abc:3:7:1",
    at="2026-03-01T12:00:00.250Z",
    producer="generator-2",
    cause="s:run-abc:3:7:1",
    trace="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
)
RUN = "run-abc"
LATER = datetime(2026, 3, 1, 12, 5, tzinfo=UTC)
_HERE = {"run": RUN, "thread": 3, "conversation": 1}
_STEP = {**_HERE, "step": 7}
_PAID = Call(
    role="assistant",
    backend="fake",
    model="writer",
    attempt=1,
    step_key="k" * 32,
    usage=Usage(input_tokens=120, cached_tokens=20, output_tokens=30, reasoning_tokens=5),
    cost_micro=456,
    basis="exact",
    latency_ms=812,
    response_model="writer-2026",
    provider_id="chatcmpl-1",
    provider_cost_micro=457,
    finish="stop",
)
_UNKNOWN = Call(
    role="judge",
    backend="fake",
    model="judge",
    attempt=2,
    step_key="k" * 32,
    cost_micro=9_000,
    basis="worst_case",
    error="lost",
)
_UNPRICED = _UNKNOWN.model_copy(update={"cost_micro": None, "basis": "unpriced"})
_FREE = _UNKNOWN.model_copy(update={"cost_micro": 0, "basis": "free", "error": "rate_limited"})
_RULE_HIT = Hit(
    reason="stage_direction",
    layer=1,
    precedence=7,
    turn=2,
    start=0,
    end=8,
    excerpt="*sighs*",
    detail="a stage direction",
)
_NEAR_HIT = Hit(
    reason="near_duplicate",
    layer=2,
    precedence=1,
    detail="too near",
    neighbour="run-abc.2.0",
    similarity=0.875,
)
_PLACED_HIT = _NEAR_HIT.model_copy(
    update={
        "overlaps": (Overlap(turn=1, start=4, end=30, other_turn=3, other_start=0, other_end=26),),
    }
)

EXAMPLES: tuple[Event, ...] = (
    RunPlanned(
        run=RUN,
        epoch=0,
        name="Nightly",
        config="support",
        config_version=4,
        mode="dialogue",
        snapshot="ab" * 32,
        target=1000,
        seed=2**62,
        lanes=16,
        estimate_micro=1_250_000,
        expected_accepted=871.5,
        spend_cap_micro=5_000_000,
        distinct3_floor=0.4,
        not_before=LATER,
    ),
    RunStarted(run=RUN, epoch=1),
    RunPaused(run=RUN, epoch=2, reason="backend_auth", detail="The key is wrong."),
    RunResumed(run=RUN, epoch=3),
    RunKicked(run=RUN, epoch=4, threads=12),
    RunCapChanged(run=RUN, epoch=5, spend_cap_micro=7_500_000),
    RunCancelRequested(run=RUN, epoch=5),
    RunCancelled(run=RUN, epoch=6),
    RunCompleted(run=RUN, epoch=7),
    RunFailed(run=RUN, epoch=8, reason="snapshot_missing", detail="It is not stored."),
    LeaderElected(leader=9, instance="scheduler-1/3"),
    RulesAnnounced(
        rules=(
            RuleAnnouncement(
                reason="empty_turn",
                layer=1,
                precedence=10,
                description="A turn without text.",
                parameters={"type": "object", "properties": {}, "additionalProperties": False},
            ),
        )
    ),
    StepRequested(
        **_STEP,
        leader=9,
        epoch=4,
        kind="generate",
        turn=2,
        emit=1,
        snapshot="ab" * 32,
        draw=Drawn(persona="ana", voice="short", turns=6),
    ),
    Generated(
        **_STEP,
        turns=(
            Turn(role="user", text="¿Dónde está 東京? 👩🏽‍🚀"),
            Turn(role="assistant", text='Line one.\nLine "two" \\ \u202e.'),
        ),
        first_turn=2,
        finish="stop",
        call=_PAID,
        origin=Origin(
            source="imp-3f9c2d81a07b",
            row=17,
            metadata={"system": "Sé amable.", "topic": "蜂", "stars": 4.5, "tags": ["a", None]},
            left_out=("picture",),
        ),
    ),
    Filtered(**_STEP, hits=(_RULE_HIT, _PLACED_HIT), signature="AAAAAf////8=", words=41),
    Judged(
        **_STEP,
        score=3.75,
        scale_min=1,
        scale_max=5,
        threshold=3.5,
        criteria=(CriterionScore(name="natural", score=4, why="Reads well."),),
        call=_PAID,
    ),
    Compared(
        **_STEP,
        reference="greeting",
        swapped=True,
        better="reference",
        why="B answers what was asked.",
        judge="fake/judge",
        call=_PAID,
    ),
    Roughened(
        **_STEP,
        rewritten=(Rewritten(turn=0, text="hi my order 4711 isnt here"),),
        kept=(Kept(turn=2, why="the number 12 is missing"),),
        call=_PAID,
    ),
    Remembered(**_STEP, memory="Waits for order 4711.", cut=True, call=_PAID),
    StepFailed(**_STEP, reason="malformed_output", detail="No JSON.", retryable=True, call=_PAID),
    StepDeferred(
        **_STEP, not_before=LATER, reason="rate_limited", detail="429", counts=False, call=_FREE
    ),
    StepBlocked(**_STEP, reason="spend_cap", detail="Raise the cap.", epoch=3, call=None),
    CallLost(**_STEP, call=_UNKNOWN),
    CallAborted(**_STEP, call=_UNPRICED),
    ConversationAccepted(**_HERE, leader=9, last=False, score=4.5, signature="AAAAAf////8="),
    ConversationRejected(
        **_HERE, leader=9, last=True, hit=_RULE_HIT, also=(_NEAR_HIT,), score=None
    ),
    ConversationFailed(**_HERE, leader=9, last=True, reason="generation_failed", detail="HTTP 503"),
    ConversationReviewed(
        **_HERE,
        version=2,
        reviewer="Ana María",
        decision="flagged",
        reason="tone",
        note="The second answer is curt.",
        edits=(Edit(turn=1, text="Of course, one moment."),),
    ),
)
