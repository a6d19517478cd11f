"""Whether too little is different among what a run accepted lately, and what the config wants done then. Pure.

With fewer than 100 accepted nothing is decided, and a run that was resumed is not paused again before 100 new ones.
"""

from dataclasses import dataclass

from convo_events.catalog import Diversity
from convo_events.distinct import WINDOW
from convo_scheduler.run import Block, Stop

REASON = "diversity_floor"


@dataclass(frozen=True, slots=True)
class Lately:
    """What is counted of the text of a run."""

    distinct3: float | None
    """Over the last accepted conversations; None where nothing is counted."""
    window: int
    """How many those are."""
    accepted: int
    """Accepted conversations of the run when it was counted."""
    paused_at: int | None
    """Accepted conversations when the floor paused the run last; None where it never did."""


def under_the_floor(diversity: Diversity, lately: Lately) -> Block | Stop | None:
    """What the scheduler tells the run; None where the text differs enough, or nobody can say yet."""
    floor, value = diversity.distinct3_floor, lately.distinct3
    if diversity.below_floor == "show" or floor is None or value is None:
        return None
    fresh = lately.accepted - (lately.paused_at or 0)
    if lately.window < WINDOW or fresh < WINDOW or value >= floor:
        return None
    found = (
        f"distinct-3 of the last {lately.window} accepted conversations is {value:.3f}, under the floor {floor:.3f}"
        f" ({lately.accepted:,} accepted so far)"
    )
    if diversity.below_floor == "stop":
        done = "the run was stopped; what was accepted stays. Vary prompts, personas or pools before the next run"
        return Stop(REASON, f"{found}: {done}.")
    todo = (
        "look at what repeats, then resume or cancel; resumed, it is looked at again after"
        f" {WINDOW} more accepted conversations"
    )
    return Block(REASON, f"{found}: {todo}.")
