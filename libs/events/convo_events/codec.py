"""Bytes to events and back: the closed union of everything that can be in the log."""

import re
from typing import Annotated, Any

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from convo_events.announcements import RulesAnnounced
from convo_events.envelope import Envelope
from convo_events.outcomes import (
    CallAborted,
    CallLost,
    Compared,
    Filtered,
    Generated,
    Judged,
    Remembered,
    Roughened,
    StepBlocked,
    StepDeferred,
    StepFailed,
)
from convo_events.reviews import ConversationReviewed
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
    LeaderElected,
    StepRequested,
)
from convo_events.upcast import upcast

Event = (
    RunPlanned
    | RunStarted
    | RunPaused
    | RunResumed
    | RunKicked
    | RunCapChanged
    | RunCancelRequested
    | RunCancelled
    | RunCompleted
    | RunFailed
    | LeaderElected
    | RulesAnnounced
    | StepRequested
    | Generated
    | Filtered
    | Judged
    | Compared
    | Roughened
    | Remembered
    | StepFailed
    | StepDeferred
    | StepBlocked
    | CallLost
    | CallAborted
    | ConversationAccepted
    | ConversationRejected
    | ConversationFailed
    | ConversationReviewed
)
"""Every event there is. A new one is added here, and gets a golden file."""

_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="type")])
KNOWN_TYPES: frozenset[str] = frozenset(
    str(member.model_fields["type"].default) for member in Event.__args__
)


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Undecodable(Exception):
    """Bytes that are not an event of convo: the message says why."""


class UnknownType(Undecodable):
    """A well-formed event of a type that this version does not know."""


def encode(envelope: Envelope, event: Event) -> bytes:
    """The envelope with the event inside, as UTF-8 JSON; lone surrogates, which UTF-8 cannot hold, as U+FFFD."""
    document = envelope.header() | {"event": event.model_dump(mode="json")}
    try:
        return orjson.dumps(document)
    except TypeError:  # orjson refuses surrogates, which are too rare to look for each time
        return orjson.dumps(_well_formed(document))


def decode(raw: bytes) -> tuple[Envelope, Event]:
    """The envelope and its event, brought to the newest version.

    Raises:
        UnknownType: for a type that this version does not know.
        Undecodable: for anything else that is not an event.
    """
    try:
        parsed: Any = orjson.loads(raw)
        body = upcast(parsed["event"])
        if body["type"] not in KNOWN_TYPES:
            raise UnknownType(f"unknown event type {body['type']!r}")
        return Envelope.from_header(parsed), _EVENT.validate_python(body)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Undecodable(f"bad event field {first['loc']}: {first['msg']}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Undecodable(f"not an event: {error!r}") from error


def _well_formed(value: Any) -> Any:
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_well_formed(key): _well_formed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_well_formed(item) for item in value]
    return value
