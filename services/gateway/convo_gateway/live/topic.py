"""One topic: its state, numbered deltas, and what a client that comes back has missed. Pure."""

from collections import deque
from collections.abc import Iterator

import orjson

from convo_gateway.live.messages import Delta, Replayed, Snapshot
from convo_gateway.shapes.live import State

KEPT = 256
"""Deltas that a client may miss and still be replayed."""
PATCH_BYTES = 1_800
"""A patch stays under this; what does not fit goes with the next one."""

Path = tuple[str, ...]


class Topic:
    """What subscribers of one topic know, and what they are still to be told."""

    def __init__(self, name: str, epoch: str, seq: int, state: State) -> None:
        """Begin at a sequence that no earlier topic of this name can have reached."""
        self.name = name
        self.epoch = epoch
        self.seq = seq
        self.state = without_nulls(state)
        self._wanted = self.state
        self._deltas: deque[Delta] = deque(maxlen=KEPT)

    def want(self, state: State) -> None:
        """Let the topic come to this state by the next deltas."""
        self._wanted = without_nulls(state)

    @property
    def wanted(self) -> State:
        """The state that the next deltas lead to."""
        return self._wanted

    @property
    def behind(self) -> bool:
        """Whether there is something to tell."""
        return self.state != self._wanted

    def step(self) -> Delta | None:
        """One delta towards the state wanted, small enough to send; None where it is reached."""
        changes = dict(_changes(self.state, self._wanted, ()))
        if not changes:
            return None
        patch, size = State(), 2
        for path, value in changes.items():
            cost = len(orjson.dumps([path, value], default=str))
            if patch and size + cost > PATCH_BYTES:
                break
            _put(patch, path, value)
            size += cost
        self.seq += 1
        self.state = merged(self.state, patch)
        delta = Delta(topic=self.name, seq=self.seq, patch=patch)
        self._deltas.append(delta)
        return delta

    def answer(self, epoch: str | None, after: int) -> Replayed | Snapshot:
        """What a client is told that has seen everything up to ``after`` of an epoch."""
        oldest = self._deltas[0].seq if self._deltas else self.seq + 1
        if epoch == self.epoch and oldest - 1 <= after <= self.seq:
            missed = tuple(delta for delta in self._deltas if delta.seq > after)
            return Replayed(topic=self.name, epoch=self.epoch, seq=self.seq, deltas=missed)
        return Snapshot(topic=self.name, epoch=self.epoch, seq=self.seq, state=self.state)


def _changes(old: State, new: State, path: Path) -> Iterator[tuple[Path, object]]:
    """Leaves that differ, with their path; None for one that is gone."""
    for name, value in new.items():
        before = old.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            yield from _changes(before, value, (*path, name))
        elif before != value or name not in old:
            yield (*path, name), value
    for name in old.keys() - new.keys():
        yield (*path, name), None


def _put(patch: State, path: Path, value: object) -> None:
    *outer, last = path
    for name in outer:
        inner = patch.setdefault(name, {})
        assert isinstance(inner, dict)
        patch = inner
    patch[last] = value


def merged(state: State, patch: State) -> State:
    """The state with a patch merged in (RFC 7396): None takes a member away."""
    result = dict(state)
    for name, value in patch.items():
        before = result.get(name)
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict) and isinstance(before, dict):
            result[name] = merged(before, value)
        else:
            result[name] = value
    return result


def without_nulls(state: State) -> State:
    """The state without members that are None: in a patch None means that a member is not there."""
    return {
        name: without_nulls(value) if isinstance(value, dict) else value
        for name, value in state.items()
        if value is not None
    }
