"""Where every event is stored, and who listens there."""

import pytest

from convo_events.codec import KNOWN_TYPES
from convo_events.ids import shard
from convo_events.steps import StepRequested
from convo_events.subjects import (
    DEAD_SUBJECTS,
    LOG_SUBJECTS,
    ROOMS,
    STAGES,
    dead_subject,
    stage_subjects,
    subject_of,
)
from tests.events.examples import EXAMPLES

BY_TYPE = {example.type: example for example in EXAMPLES}
SHARD = shard("run-abc", 3)
CLASSES = {
    "run": "run.run-abc.0",
    "step": f"out.run-abc.{SHARD}",
    "call": f"call.run-abc.{SHARD}",
    "conversation": f"run.run-abc.{SHARD}",
    "conversation.reviewed": f"review.run-abc.{SHARD}",
    "leader": "sys.leader.0",
    "rules": "sys.rules.0",
}


def covers(pattern: str, subject: str) -> bool:
    return subject.startswith(pattern.removesuffix(">"))


@pytest.mark.parametrize("name", sorted(KNOWN_TYPES - {"step.requested"}))
def test_class_run_and_shard_are_in_the_subject(name: str) -> None:
    place = CLASSES.get(name) or CLASSES[name.split(".")[0]]
    assert subject_of(BY_TYPE[name]) == f"convo.ev.{place}"


@pytest.mark.parametrize("kind", sorted(STAGES))
def test_a_request_goes_to_its_stage_alone(kind: str) -> None:
    asked = BY_TYPE["step.requested"]
    assert isinstance(asked, StepRequested)
    subject = subject_of(asked.model_copy(update={"kind": kind}))

    assert subject == f"convo.ev.{STAGES[kind]}.run-abc.{SHARD}"
    heard = [stage for stage in ROOMS if covers(stage_subjects(stage), subject)]
    assert heard == [STAGES[kind]]


@pytest.mark.parametrize("name", sorted(KNOWN_TYPES))
def test_the_log_keeps_every_event_under_five_plain_tokens(name: str) -> None:
    subject = subject_of(BY_TYPE[name])

    assert covers(LOG_SUBJECTS, subject)
    assert len(subject.split(".")) == 5
    assert not set(subject) & set(" *>\t\r\n")


@pytest.mark.parametrize("stage", sorted(ROOMS))
def test_dead_letters_are_kept_by_room(stage: str) -> None:
    assert covers(DEAD_SUBJECTS, dead_subject(stage))
    assert dead_subject(stage).endswith(ROOMS[stage])
