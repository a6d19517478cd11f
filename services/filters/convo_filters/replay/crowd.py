"""Conversations of a replay that neighbours can still decide about, a few bytes each."""

from array import array
from dataclasses import dataclass, field

from convo_events import ids
from convo_filters.replay.pages import Place, Run, Settled
from convo_filters.replay.redecide import ACCEPTED, Standing, Verdict


@dataclass(frozen=True, slots=True)
class Waiting:
    """A conversation that neighbours decide about, and that is not simply accepted as it was."""

    settled: Settled
    standing: Standing


@dataclass(slots=True)
class Crowd:
    """Members in the order of settling, numbered from 0."""

    run: str
    usual: Standing
    """Where most of them stand: accepted in the record, and still. Only others are kept one by one."""
    threads: "array[int]" = field(default_factory=lambda: array("i"))
    numbers: "array[int]" = field(default_factory=lambda: array("i"))
    seqs: "array[int]" = field(default_factory=lambda: array("q"))
    special: dict[int, tuple[Standing, Verdict]] = field(default_factory=dict)
    """Where a member stands, and its recorded verdict."""

    @classmethod
    async def gather(
        cls, run: str, settled: Run, usual: Standing, waiting: list[Waiting], lost: set[str]
    ) -> "Crowd":
        """All that wait and, among them, all that the run accepted and the replay still may.

        Args:
            run: Id of the run.
            settled: What it settled.
            usual: Where accepted conversations stand that do not wait.
            waiting: Those that wait, in the order of settling.
            lost: Ids of what the run accepted and the replay does not.

        Raises:
            Unavailable: when Postgres is away.
        """
        crowd, rest = cls(run, usual), iter(waiting)
        ahead = next(rest, None)
        async for page in settled.accepted():
            for place in page:
                key = (place.settled_seq, place.id)
                while ahead and (ahead.settled.settled_seq, ahead.settled.id) < key:
                    crowd._add(ahead.settled, ahead)
                    ahead = next(rest, None)
                if ahead and ahead.settled.id == place.id:
                    crowd._add(place, ahead)
                    ahead = next(rest, None)
                elif place.id not in lost:
                    crowd._add(place, None)
        while ahead:
            crowd._add(ahead.settled, ahead)
            ahead = next(rest, None)
        return crowd

    def _add(self, place: Place | Settled, waiting: Waiting | None) -> None:
        if waiting is not None:
            self.special[len(self)] = (waiting.standing, waiting.settled.record.verdict)
        self.threads.append(place.thread)
        self.numbers.append(place.number)
        self.seqs.append(place.settled_seq)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.seqs)

    def of(self, member: int) -> tuple[Standing, Verdict]:
        """Where a member stands, and its recorded verdict."""
        return self.special.get(member) or (self.usual, ACCEPTED)

    def id(self, member: int) -> str:
        """The id of its conversation."""
        return ids.conversation_id(self.run, self.threads[member], self.numbers[member])
