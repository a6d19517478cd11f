"""What is said over the websocket.

The client subscribes with the epoch and the last sequence it knows; it is answered by ``replayed`` (the deltas that it
missed), ``snapshot`` (all of the state) or ``gone``. Deltas follow, each one sequence higher than the one before.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from convo_gateway.shapes.live import State

PROTOCOL = "1"

BAD_MESSAGE = 4400
STRANGER = 4403
OTHER_VERSION = 4409
TOO_MANY = 1013
RESTART = 1012
"""Close codes. 1009 is a message that is too long; 4401 is kept for a login."""

Topic = Annotated[str, Field(pattern=r"^(runs|run:[A-Za-z0-9._-]{1,100})$")]


class Message(BaseModel):
    """What all messages are."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Subscribe(Message):
    """Tell me about a topic: ``runs``, or ``run:<id>``."""

    op: Literal["subscribe"]
    topic: Topic
    epoch: Annotated[str, Field(max_length=64)] | None = None
    """Epoch of the last message that was seen; None at first."""
    after: Annotated[int, Field(ge=0)] = 0
    """Sequence of the last delta or snapshot that was seen."""


class Unsubscribe(Message):
    """Tell me no more."""

    op: Literal["unsubscribe"]
    topic: Topic


class Delta(Message):
    """A change. Values are absolute; objects are merged, lists and everything else replaced (RFC 7396)."""

    op: Literal["delta"] = "delta"
    topic: str
    seq: int
    patch: State


class Snapshot(Message):
    """All of the state; what was known before is void."""

    op: Literal["snapshot"] = "snapshot"
    topic: str
    epoch: str
    seq: int
    state: State


class Replayed(Message):
    """The deltas that were missed, oldest first; perhaps none."""

    op: Literal["replayed"] = "replayed"
    topic: str
    epoch: str
    seq: int
    deltas: tuple[Delta, ...]


class Gone(Message):
    """There is no such topic."""

    op: Literal["gone"] = "gone"
    topic: str


class Resync(Message):
    """Deltas were dropped because they were not read fast enough: subscribe to these again."""

    op: Literal["resync"] = "resync"
    topics: tuple[str, ...]


class Heartbeat(Message):
    """The line is alive; a sequence that is higher than the one known reveals a loss."""

    op: Literal["heartbeat"] = "heartbeat"
    epoch: str
    topics: dict[str, int]


FROM_CLIENT: TypeAdapter[Subscribe | Unsubscribe] = TypeAdapter(
    Annotated[Subscribe | Unsubscribe, Field(discriminator="op")]
)
ToClient = Delta | Snapshot | Replayed | Gone | Resync | Heartbeat
