"""Does an event count? What does not is archived as late: it moves nothing, though its call still costs."""

from convo_events.announcements import RulesAnnounced
from convo_events.codec import Event
from convo_events.outcomes import StepFact
from convo_events.reviews import ConversationReviewed
from convo_events.runs import RunFact
from convo_events.steps import LeaderElected, StepRequested, Verdict
from convo_projector.projections import run_view, threads


def is_late(event: Event, fence: int, run: run_view.Row | None, thread: threads.Row | None) -> bool:
    """True for what comes after its time: a deposed leader, an ended run, a step that is past."""
    match event:
        case LeaderElected():
            return event.leader <= fence
        case RulesAnnounced() | ConversationReviewed():
            return False
        case RunFact():
            return not run_view.allows(run, event)
        case StepRequested() | Verdict():
            stale = event.leader < fence
            return stale or not run_view.allows(run, event) or not threads.allows(thread, event)
        case StepFact():
            return not run_view.allows(run, event) or not threads.allows(thread, event)
