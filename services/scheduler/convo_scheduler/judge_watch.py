"""Whether a sick judge pauses the run, and whether what failed at a judge has to wait until somebody can tell. Pure."""

from collections.abc import Sequence

from convo_events.judge_health import Answers, JudgeHealth, is_doubtful, sickness
from convo_events.snapshot import Snapshot
from convo_events.threads import ThreadState
from convo_scheduler.run import Block

REASON = "judge_sick"
_FAILURES = frozenset({"judge_unparsed", "judge_truncated", "judge_failed"})


def limits_of(snapshot: Snapshot) -> JudgeHealth | None:
    """When a sick judge pauses the run; None where it never does, such as in a sample of one conversation."""
    judging = snapshot.config.judge
    return None if judging is None or snapshot.only is not None else judging.health


def sick_judge(limits: JudgeHealth | None, judges: Sequence[Answers]) -> Block | None:
    """What the scheduler tells the run; None where every judge is well, or too little is known of it."""
    if limits is None:
        return None
    found = (sickness(answers, limits) for answers in judges)
    sick = next((one for one in found if one is not None), None)
    return None if sick is None else Block(REASON, sick.sentence)


def in_doubt(limits: JudgeHealth | None, judges: Sequence[Answers]) -> bool:
    """Whether a judge may be sick, and too few of its answers came to tell."""
    return limits is not None and any(is_doubtful(answers, limits) for answers in judges)


def failed_at_judge(state: ThreadState) -> bool:
    """Whether a judge's last answer about the thread's conversation was none, and the verdict needs it."""
    at_judge = state.phase == "due" and state.kind == "judge" and state.last == "failed"
    return at_judge and state.reason in _FAILURES and state.piece.purpose != "recheck"
