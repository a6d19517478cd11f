"""Names on NATS: the streams, their subjects, the durable consumers, and the subjects that are not stored."""

from convo_events.announcements import RulesAnnounced
from convo_events.codec import Event
from convo_events.ids import shard
from convo_events.outcomes import CallAborted, CallLost
from convo_events.reviews import ConversationReviewed
from convo_events.runs import RunFact
from convo_events.steps import LeaderElected, StepRequested, Verdict

LOG_STREAM = "CONVO_LOG"
LOG_SUBJECTS = "convo.ev.>"
DEAD_STREAM = "CONVO_DEAD"
DEAD_SUBJECTS = "convo.dead.>"

STAGES: dict[str, str] = {
    "generate": "gen",
    "roughen": "gen",
    "filter": "filter",
    "judge": "judge",
    "memory": "gen",
}
"""Step kind to the class in its subject, which is also the name of its durable consumer."""

TICK = "convo.tick"
"""The projector says which runs changed, after each commit."""
COMMAND = "convo.cmd.run"
"""The gateway asks the scheduler; request and reply."""
LOOK = "convo.cmd.look"
"""The gateway asks the filters what they would say of other turns; request and reply."""
CONTROL = "convo.ctl"
"""The scheduler tells workers that a run's control epoch changed: ``convo.ctl.<run>``."""


def stage_subjects(stage: str) -> str:
    """What the durable consumer of a stage listens to."""
    return f"convo.ev.{stage}.>"


ROOMS: dict[str, str] = {"gen": "generator", "filter": "filters", "judge": "judge"}
"""Stage to the service that works on it."""


def dead_subject(stage: str) -> str:
    """Where the service of a stage puts a message that it can never handle."""
    return f"convo.dead.{ROOMS[stage]}"


def subject_of(event: Event) -> str:
    """The subject an event is stored under: ``convo.ev.<class>.<run>.<shard>``."""
    match event:
        case LeaderElected():
            return "convo.ev.sys.leader.0"
        case RulesAnnounced():
            return "convo.ev.sys.rules.0"
        case RunFact():
            return f"convo.ev.run.{event.run}.0"
        case StepRequested():
            return f"convo.ev.{STAGES[event.kind]}.{event.run}.{shard(event.run, event.thread)}"
        case Verdict():
            return f"convo.ev.run.{event.run}.{shard(event.run, event.thread)}"
        case ConversationReviewed():
            return f"convo.ev.review.{event.run}.{shard(event.run, event.thread)}"
        case CallLost() | CallAborted():
            return f"convo.ev.call.{event.run}.{shard(event.run, event.thread)}"
        case _:
            return f"convo.ev.out.{event.run}.{shard(event.run, event.thread)}"
