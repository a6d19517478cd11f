"""What finished runs of a config tell about the next one. Pure.

Which runs tell what:

* Only runs of the same mode; samples and failed runs tell nothing.
* Runs with the same prompt set in the same version go before all others: where completed ones of them made ten
  conversations or more, only they count.
* For the size of a call those with the same model go before the others. Cancelled runs count here too: a call that was
  made is a call that was made.
* How many calls there are, and what becomes of the conversations, only completed runs tell: what a cancelled one had
  under way would make both wrong.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole

ENOUGH_MADE = 10
"""Conversations that completed runs with the same prompts have to have made to count alone."""


@dataclass(frozen=True, slots=True)
class RoleHistory:
    """What one role used in a run, all calls together, those that failed included."""

    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    backend: str = ""
    model: str = ""
    from_cache: int = 0
    """Answers that were taken from the cache; the next run may not find them there."""


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run that has ended."""

    mode: str
    made: int
    """Conversations that ended, whatever became of them."""
    accepted: int
    rejected: Mapping[int, int] = field(default_factory=dict)
    """Layer to the conversations that it rejected."""
    failed: int = 0
    turns: int = 0
    """Planned turns of those conversations; 0 where not known."""
    roles: Mapping[CallRole, tuple[RoleHistory, ...]] = field(default_factory=dict)
    """By model where a role had several."""
    completed: bool = True
    """False: cancelled."""
    prompt_set: str = ""
    """Name and version of the prompt set; empty where not known."""
    roughened: float = 0.0
    """Share of the conversations that were to be roughened."""
    judge_calls: float = 1.0
    """Calls of all judges for a conversation that passes, as its config asks for them."""
    lanes: int = 1
    target: int = 1
    seconds: float | None = None
    """From its start to its end; None where not known."""

    def units(self, role: CallRole) -> float:
        """What there is a call of a role for: turns, conversations, those to be roughened or remembered."""
        match role:
            case "user" | "assistant":
                return self.turns or self.made
            case "roughen":
                return self.made * self.roughened
            case "memory":
                return self.accepted * (self.target - self.lanes) / self.target
            case "judge":
                return self.made * self.judge_calls
            case _:
                return self.made


@dataclass(frozen=True, slots=True)
class Usual:
    """A role as it usually is called."""

    input_tokens: float
    """Of each call; likewise the others."""
    output_tokens: float
    cached_tokens: float
    cache_write_tokens: float
    calls_a_unit: float | None
    """Calls for each unit, new tries included; None where only cancelled runs tell."""
    same_model: bool


@dataclass(frozen=True, slots=True)
class History:
    """Ended runs of the configs of one name, whatever their version, newest first."""

    runs: tuple[PastRun, ...] = ()

    def telling(self, snapshot: Snapshot) -> "Telling":
        """Those of the runs that tell about a run of these frozen inputs."""
        known = [run for run in self.runs if run.mode == snapshot.config.mode and run.made]
        prompts = prompt_set_of(snapshot)
        same = [run for run in known if run.prompt_set == prompts]
        if sum(run.made for run in same if run.completed) < ENOUGH_MADE and len(same) < len(known):
            return Telling(tuple(known), same_prompts=False)
        return Telling(tuple(same), same_prompts=bool(same))


@dataclass(frozen=True, slots=True)
class Telling:
    """The runs that an estimate rests on."""

    runs: tuple[PastRun, ...]
    same_prompts: bool
    """Whether they had the prompt set that the new run has, in the same version."""

    @property
    def completed(self) -> tuple[PastRun, ...]:
        """Those that came to their end."""
        return tuple(run for run in self.runs if run.completed)

    def usual(self, role: CallRole, backend: str, model: str) -> Usual | None:
        """How a role is called; None where no run tells."""
        own = list(
            _calls(self.runs, role, lambda used: (used.backend, used.model) == (backend, model))
        )
        used = own or list(_calls(self.runs, role, lambda _: True))
        calls = sum(part.calls for part in used)
        if not calls:
            return None
        return Usual(
            input_tokens=sum(part.input_tokens for part in used) / calls,
            output_tokens=sum(part.output_tokens for part in used) / calls,
            cached_tokens=sum(part.cached_tokens for part in used) / calls,
            cache_write_tokens=sum(part.cache_write_tokens for part in used) / calls,
            calls_a_unit=self._calls_a_unit(role),
            same_model=bool(own),
        )

    def _calls_a_unit(self, role: CallRole) -> float | None:
        units = sum(run.units(role) for run in self.completed)
        used = list(_calls(self.completed, role, lambda _: True))
        calls = sum(part.calls + part.from_cache for part in used)
        return calls / units if units else None

    def share(self, count: Callable[[PastRun], int]) -> float | None:
        """A count of conversations as a share of all that completed runs made; None without any."""
        made = sum(run.made for run in self.completed)
        return sum(map(count, self.completed)) / made if made else None

    def seconds(self, conversations: int) -> float | None:
        """How long so many conversations take; None where no run tells."""
        paces = [run.seconds / run.made for run in self.completed if run.seconds is not None]
        return median(paces) * conversations if paces else None

    def alone(self) -> Iterator["Telling"]:
        """Each completed run by itself, to see how far they differ."""
        for run in self.completed:
            yield Telling((run,), self.same_prompts)


def prompt_set_of(snapshot: Snapshot) -> str:
    """Name and version of the prompt set, as ``PastRun`` has it."""
    name = snapshot.config.prompt_set
    version = snapshot.versions.get(f"prompt-sets/{name}")
    return "" if version is None else f"{name} {version}"


def _calls(
    runs: Iterable[PastRun], role: CallRole, wanted: Callable[[RoleHistory], bool]
) -> Iterator[RoleHistory]:
    for run in runs:
        parts: Sequence[RoleHistory] = run.roles.get(role, ())
        yield from (part for part in parts if part.calls and wanted(part))
