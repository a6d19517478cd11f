"""The calls that a run is expected to make when nothing is known but its frozen inputs. Pure.

The lengths of the conversations come from the plan. A dialogue sends its whole transcript with every turn, so its
prompts are summed up turn by turn.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from convo_events.errors import ConvoError
from convo_events.plan import Draw, draw
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole
from convo_models.prompts import render

Bound = Literal["low", "expected", "high"]

CHARACTERS_A_TOKEN = 4
"""Source: the rule of thumb that model providers give for English."""
MESSAGE_TOKENS = 4
"""Tokens that frame a message of a chat. Source: OpenAI's cookbook on counting tokens of chat models, rounded up."""
REPLY_TOKENS: dict[CallRole, int] = {"user": 60, "assistant": 150}
"""Length of a message, where no run is known."""
SCRIPT_TURN_TOKENS = 90
"""Length of one turn of a script, with the JSON around it."""
VERDICT_TOKENS, CRITERION_TOKENS = 40, 25
"""Length of a verdict: its frame, and each criterion."""
JUDGED_SHARE = 0.9
"""Share of conversations that the layers before the judge let through, where no run is known."""
MOST_DRAWS, MOST_RENDERED = 2_000, 50
"""How many draws of the plan are looked at for lengths, and how many prompts are rendered for their size."""


@dataclass(frozen=True, slots=True)
class CallGroup:
    """Calls of one role that look alike."""

    calls: float
    input_tokens: float
    """Of each call."""
    output_tokens: float
    """Of each call."""


class Workload:
    """The plan of a run, seen as calls."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Look at the plan: all of it, or evenly spaced draws where it is large."""
        self._snapshot = snapshot
        target = snapshot.target
        seen = min(target, MOST_DRAWS)
        plans = [_plan(snapshot, at * target // seen) for at in range(seen)]
        self._weight = target / seen
        self._lengths = Counter(plan.turns for plan in plans)
        rendered = min(seen, MOST_RENDERED)
        self._samples = [plans[at * seen // rendered] for at in range(rendered)]
        self._prompts: dict[str, float] = {}
        for role in snapshot.call_roles():
            self._prompts[role] = self._prompt_tokens(role)
        opening = "opening" if "opening" in snapshot.prompt_set.segments else "user"
        self._prompts["opening"] = self._prompt_tokens(opening)

    @property
    def turns(self) -> float:
        """Planned turns of all conversations together."""
        return self._weight * sum(turns * count for turns, count in self._lengths.items())

    def groups(self, role: CallRole, bound: Bound) -> list[CallGroup]:
        """The calls of a role; ``low`` and ``high`` take short answers, or answers as long as they may be."""
        return [
            CallGroup(count * self._weight * calls, prompt, answer)
            for turns, count in sorted(self._lengths.items())
            for calls, prompt, answer in self._conversation(role, turns, bound)
        ]

    def _conversation(
        self, role: CallRole, turns: int, bound: Bound
    ) -> Iterator[tuple[float, float, float]]:
        """Calls, prompt and answer tokens of a role in a conversation of so many turns."""
        answer = self._answer(role, turns, bound)
        match role:
            case "script":
                yield 1, self._prompts[role] + MESSAGE_TOKENS, answer
            case "judge":
                share = 1.0 if bound == "high" else JUDGED_SHARE
                yield share, self._prompts[role] + self._transcript(turns, bound), answer
            case _:
                for before in range(0 if role == "user" else 1, turns, 2):
                    prompt = self._prompts["opening" if before == 0 else role]
                    yield 1, prompt + MESSAGE_TOKENS + self._transcript(before, bound), answer

    def _transcript(self, turns: int, bound: Bound) -> float:
        """Tokens of the first turns of a conversation."""
        if self._snapshot.config.mode == "scripted":
            return self._answer("script", turns, bound)
        users, assistants = (turns + 1) // 2, turns // 2
        spoken = users * self._answer("user", turns, bound)
        return (
            spoken + assistants * self._answer("assistant", turns, bound) + MESSAGE_TOKENS * turns
        )

    def _answer(self, role: CallRole, turns: int, bound: Bound) -> float:
        """Tokens of one answer."""
        judging = self._snapshot.config.judge
        match role:
            case "script":
                usual = SCRIPT_TURN_TOKENS * turns
            case "judge":
                usual = VERDICT_TOKENS + CRITERION_TOKENS * len(judging.criteria if judging else ())
            case _:
                usual = REPLY_TOKENS[role]
        limit = self._snapshot.role(role).max_tokens
        return limit if bound == "high" else min(limit, usual / 2 if bound == "low" else usual)

    def _prompt_tokens(self, segment: str) -> float:
        """Mean size of a rendered segment; for the judge with its criteria."""
        snapshot = self._snapshot
        source = next(
            (t for name, t in snapshot.prompt_set.segments.items() if name == segment), ""
        )
        sizes = [_rendered(snapshot, segment, source, plan) for plan in self._samples]
        characters = sum(sizes) / len(sizes)
        if segment == "judge" and snapshot.config.judge:
            criteria = snapshot.config.judge.criteria
            characters += sum(len(one.name) + len(one.question) + 8 for one in criteria)
        return characters / CHARACTERS_A_TOKEN


def _plan(snapshot: Snapshot, index: int) -> Draw:
    return draw(snapshot, index % snapshot.lanes, index // snapshot.lanes)


def _rendered(snapshot: Snapshot, segment: str, source: str, plan: Draw) -> int:
    """Characters of a rendered segment, or of its source where these values do not render."""
    if not source:
        return 0
    try:
        return len(render(snapshot, segment, plan, 1))
    except ConvoError:
        return len(source)


def assumptions(snapshot: Snapshot, roles: list[CallRole]) -> Iterator[str]:
    """What stands in for runs that are not known, as sentences, for the roles that no run tells about."""
    if roles:
        yield f"a token is {CHARACTERS_A_TOKEN} characters"
    for role in roles:
        match role:
            case "script":
                yield f"a turn of a script has {SCRIPT_TURN_TOKENS} tokens"
            case "judge":
                yield f"a verdict has {VERDICT_TOKENS} tokens and {CRITERION_TOKENS} for each criterion"
                yield f"{1 - JUDGED_SHARE:.0%} are rejected before the judge"
            case _:
                limit = snapshot.role(role).max_tokens
                length = min(REPLY_TOKENS[role], limit)
                yield f"a message of the {role} has {length} tokens, {limit} at most"
