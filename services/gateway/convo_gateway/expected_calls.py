"""The calls that a run is expected to make when nothing is known but its frozen inputs. Pure.

The lengths of the conversations come from the plan. A dialogue sends its whole transcript with every turn, so its
prompts are summed up turn by turn.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

from convo_events.catalog import RoleModel
from convo_events.errors import ConvoError
from convo_events.plan import Draw, draw_at, share_sizes
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole
from convo_gateway.judge_calls import BOTH_ORDERS, COMPARISON_TOKENS, sitting_of
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
MEMORY_TOKENS = 150
"""Length of what is remembered."""
ROUGH_TURN_TOKENS = 12
"""What frames a rewritten turn in the answer of a roughening."""
IMPORTED_TOKENS = 800
"""Length of an imported conversation, as long as nobody said which import is read."""
JUDGED_SHARE, ACCEPTED_SHARE = 0.9, 0.8
"""Shares of the conversations that reach the judge, and that are accepted where one decides, where no run is known."""
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
    cached_tokens: float = 0
    """Of each call, part of the input; likewise the next."""
    cache_write_tokens: float = 0


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return ceil(len(text) / CHARACTERS_A_TOKEN)


def answer_tokens(
    snapshot: Snapshot, role: CallRole, turns: int, bound: Bound, model: RoleModel | None = None
) -> float:
    """Tokens of one answer of a role, in a conversation of so many turns; of the role's model, or of another one."""
    config = snapshot.config
    match role:
        case "script":
            usual: float = SCRIPT_TURN_TOKENS * turns
        case "judge":
            criteria = config.judge.criteria if config.judge else ()
            usual = VERDICT_TOKENS + CRITERION_TOKENS * len(criteria)
        case "memory":
            most = config.memory.max_characters if config.memory else 0
            usual = min(MEMORY_TOKENS, most / CHARACTERS_A_TOKEN)
        case "roughen":
            users = (turns + 1) // 2
            usual = users * (ROUGH_TURN_TOKENS + _spoken(snapshot, "user", bound))
        case _:
            usual = REPLY_TOKENS[role]
    limit = (model or snapshot.role(role)).max_tokens
    return limit if bound == "high" else min(limit, usual / 2 if bound == "low" else usual)


def _spoken(snapshot: Snapshot, side: Literal["user", "assistant"], bound: Bound) -> float:
    """Tokens of one turn of a side."""
    if not snapshot.config.speaks_in_turn:
        return answer_tokens(snapshot, "script", 1, bound)
    return answer_tokens(snapshot, side, 1, bound)


def transcript_tokens(snapshot: Snapshot, turns: int, bound: Bound = "expected") -> float:
    """Tokens of the first turns of a conversation, as messages; of an imported one all of them, by the file's mean."""
    if not snapshot.config.generates:
        return imported_tokens(snapshot)
    if not snapshot.config.speaks_in_turn:
        return answer_tokens(snapshot, "script", turns, bound)
    users, assistants = (turns + 1) // 2, turns // 2
    said = users * _spoken(snapshot, "user", bound)
    said += assistants * _spoken(snapshot, "assistant", bound)
    return said + MESSAGE_TOKENS * turns


def imported_tokens(snapshot: Snapshot) -> float:
    """Mean tokens of the conversations of an import, as messages."""
    source = snapshot.source
    if source is None:
        return IMPORTED_TOKENS
    said = source.characters / CHARACTERS_A_TOKEN
    return (said + MESSAGE_TOKENS * source.turns) / source.count


class Workload:
    """The plan of a run, seen as calls."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Look at the plan: all of it, or evenly spaced draws where it is large."""
        self._snapshot = snapshot
        plans = _plans(snapshot)
        self._weight = snapshot.target / len(plans)
        self._lengths = Counter(plan.turns for plan in plans)
        rendered = min(len(plans), MOST_RENDERED)
        self._samples = [plans[at * len(plans) // rendered] for at in range(rendered)]
        self._prompts: dict[str, float] = {}
        for role in snapshot.call_roles():
            self._prompts[role] = self._prompt_tokens(role)
        opening = "opening" if "opening" in snapshot.prompt_set.segments else "user"
        self._prompts["opening"] = self._prompt_tokens(opening)

    @property
    def turns(self) -> float:
        """Planned turns of all conversations together."""
        return self._weight * sum(turns * count for turns, count in self._lengths.items())

    def units(self, role: CallRole, accepted_share: float, seat: int = 0) -> float:
        """What there is a call of a role for: turns, conversations, those to be roughened or remembered, questions.

        Args:
            role: The role.
            accepted_share: Share of the conversations that are accepted.
            seat: Which judge; the panel follows the first one.
        """
        snapshot = self._snapshot
        match role:
            case "user" | "assistant":
                return self.turns
            case "roughen":
                return snapshot.target * _roughened_share(snapshot)
            case "memory":
                return accepted_share * (snapshot.target - snapshot.lanes)
            case "judge":
                return snapshot.target * sitting_of(snapshot).of_seat(seat)
            case _:
                return snapshot.target

    def groups(
        self, role: CallRole, bound: Bound, accepted_share: float = ACCEPTED_SHARE, seat: int = 0
    ) -> list[CallGroup]:
        """The calls of a role; ``low`` and ``high`` take short answers, or answers as long as they may be."""
        return [
            CallGroup(count * self._weight * calls, prompt, answer)
            for turns, count in sorted(self._lengths.items())
            for calls, prompt, answer in self._conversation(
                role, turns, bound, accepted_share, seat
            )
            if calls
        ]

    def _conversation(
        self, role: CallRole, turns: int, bound: Bound, accepted_share: float, seat: int
    ) -> Iterator[tuple[float, float, float]]:
        """Calls, prompt and answer tokens of a role in a conversation of so many turns."""
        snapshot = self._snapshot
        answer = answer_tokens(snapshot, role, turns, bound)
        share = self.units(role, 1.0 if bound == "high" else accepted_share) / snapshot.target
        match role:
            case "script":
                yield 1, self._prompts[role] + MESSAGE_TOKENS, answer
            case "judge":
                yield from self._judged(turns, bound, accepted_share, seat)
            case "memory":
                spoken = transcript_tokens(snapshot, turns, bound)
                yield share, self._prompts[role] + answer + spoken, answer
            case "roughen":
                users = (turns + 1) // 2 * (ROUGH_TURN_TOKENS + _spoken(snapshot, "user", bound))
                yield share, self._prompts[role] + users, answer
            case _:
                for before in range(0 if role == "user" else 1, turns, 2):
                    prompt = self._prompts["opening" if before == 0 else role] + MESSAGE_TOKENS
                    yield 1, prompt + transcript_tokens(snapshot, before, bound), answer

    def _judged(
        self, turns: int, bound: Bound, accepted_share: float, seat: int
    ) -> Iterator[tuple[float, float, float]]:
        """Samples and rechecks of one judge; and of the first one, what passes, compared in both orders."""
        snapshot = self._snapshot
        sitting, judge = sitting_of(snapshot), snapshot.judges()[seat]
        judged = 1.0 if bound == "high" else JUDGED_SHARE
        passed = 1.0 if bound == "high" else min(judged, accepted_share)
        prompt = self._prompts["judge"] + transcript_tokens(snapshot, turns, bound)
        asked = sitting.samples + (sitting.rechecked if seat == 0 else 0)
        yield judged * asked, prompt, answer_tokens(snapshot, "judge", turns, bound, judge)
        if sitting.compared and seat == 0:
            longest = judge.max_tokens if bound == "high" else COMPARISON_TOKENS
            beside = prompt + reference_tokens(snapshot)
            yield BOTH_ORDERS * passed, beside, min(judge.max_tokens, longest)

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
            characters += sum(len(looks) + 5 for one in criteria for looks in one.anchors.values())
        return characters / CHARACTERS_A_TOKEN


def reference_tokens(snapshot: Snapshot) -> float:
    """Tokens of the example that conversations are compared with."""
    judging = snapshot.config.judge
    name = judging.comparison.example if judging and judging.comparison else ""
    examples = (one for one in snapshot.prompt_set.examples if one.name == name)
    return sum(tokens(text) + MESSAGE_TOKENS for one in examples for text in one.turns)


def _plans(snapshot: Snapshot) -> Sequence[Draw]:
    """The conversations of the plan; evenly spaced ones where there are many."""
    if snapshot.only is not None:
        return [draw_at(snapshot, snapshot.only)]
    target = snapshot.config.target_count
    seen = min(target, MOST_DRAWS)
    return [draw_at(snapshot, at * target // seen) for at in range(seen)]


def _roughened_share(snapshot: Snapshot) -> float:
    roughen = snapshot.config.roughen
    if roughen is None:
        return 0.0
    if snapshot.only is not None:
        return float(draw_at(snapshot, snapshot.only).roughen)
    return share_sizes(snapshot.target, roughen.share) / snapshot.target


def _rendered(snapshot: Snapshot, segment: str, source: str, plan: Draw) -> int:
    """Characters of a rendered segment, or of its source where these values do not render."""
    if not source:
        return 0
    memory = ""
    if snapshot.config.memory is not None and plan.visit > 1:
        memory = "m" * round(answer_tokens(snapshot, "memory", 0, "expected") * CHARACTERS_A_TOKEN)
    try:
        return len(render(snapshot, segment, plan, 1, memory))
    except ConvoError:
        return len(source)


def assumptions(snapshot: Snapshot, roles: list[CallRole]) -> Iterator[str]:
    """What stands in for runs that are not known, as sentences, for the roles that no run tells about."""
    if roles:
        yield f"a token is {CHARACTERS_A_TOKEN} characters"
    if roles and not snapshot.config.generates:
        size, known = imported_tokens(snapshot), snapshot.source is not None
        told = "the mean of the file" if known else "as no import is chosen"
        yield f"a conversation has {size:,.0f} tokens, {told}"
    for role in roles:
        match role:
            case "script":
                yield f"a turn of a script has {SCRIPT_TURN_TOKENS} tokens"
            case "judge":
                yield f"a verdict has {VERDICT_TOKENS} tokens and {CRITERION_TOKENS} for each criterion"
                yield f"{1 - JUDGED_SHARE:.0%} are rejected before the judge"
                yield from _of_sitting(snapshot)
            case "memory":
                length = answer_tokens(snapshot, role, 0, "expected")
                yield f"what is remembered has {length:.0f} tokens"
            case "roughen":
                yield "a roughened turn is as long as it was before"
            case _:
                limit = snapshot.role(role).max_tokens
                length = min(REPLY_TOKENS[role], limit)
                yield f"a message of the {role} has {length} tokens, {limit} at most"


def _of_sitting(snapshot: Snapshot) -> Iterator[str]:
    sitting = sitting_of(snapshot)
    if sitting.samples > 1:
        yield "no sample of a judge is left out because the verdict stands before it"
    if sitting.compared:
        yield f"what is accepted is compared in both orders, and each answer has {COMPARISON_TOKENS} tokens"
    if snapshot.config.judge and snapshot.config.judge.cache:
        yield "no verdict comes from the cache"
