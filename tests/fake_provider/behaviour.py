"""Decides the reply to a request from the program: pure, but for the counts that rules ask for.

Draws come from the program's seed and the request (and its attempt number where a repeat should draw
again), never from a clock.
"""

import math
import re
from collections import Counter

from tests.fake_provider import rules
from tests.fake_provider.draw import Draw
from tests.fake_provider.plans import Moment, bomb_response, failure, plan
from tests.fake_provider.request import ChatRequest
from tests.fake_provider.rules import Match, Program, Rule
from tests.fake_provider.wire import Plan, Wait

_DEFAULT = rules.Answer()


class _Counted:
    """A rule with what it has seen so far."""

    def __init__(self, place: int, rule: Rule) -> None:
        self.place = place
        self.rule = rule
        self.applied = 0
        self._pattern = _compiled(place, rule.match.pattern)
        self._seen = 0
        self._seen_of: Counter[str] = Counter()

    def applies(self, request: ChatRequest, draw: Draw) -> bool:
        """Whether the rule wants the request; counts the request for its window."""
        if not self._fits(request):
            return False
        window = self.rule.match.window
        self._seen += 1
        number = self._seen
        if window.per_key:
            who = request.key or request.digest.hex()
            self._seen_of[who] += 1
            number = self._seen_of[who]
        if number < window.first or (window.last is not None and number > window.last):
            return False
        probability = self.rule.match.probability
        return not self._spent() and (probability >= 1 or draw.unit() < probability)

    def scripted(self) -> str | None:
        """The text whose turn it is, when the rule is a script."""
        action = self.rule.action
        if not isinstance(action, rules.Scripted):
            return None
        if action.then == "again":
            return action.texts[self.applied % len(action.texts)]
        return action.texts[min(self.applied, len(action.texts) - 1)]

    def _fits(self, request: ChatRequest) -> bool:
        match: Match = self.rule.match
        return (
            (match.model is None or match.model == request.model)
            and (match.stream is None or match.stream == request.stream)
            and (match.text is None or match.text in request.text)
            and (self._pattern is None or self._pattern.search(request.text) is not None)
        )

    def _spent(self) -> bool:
        action = self.rule.action
        if isinstance(action, rules.Scripted) and action.then == "next_rule":
            return self.applied >= len(action.texts)
        return self.rule.times is not None and self.applied >= self.rule.times


def _compiled(place: int, pattern: str | None) -> re.Pattern[str] | None:
    try:
        return None if pattern is None else re.compile(pattern)
    except re.error as wrong:
        raise ValueError(f"rule {place}: pattern {pattern!r}: {wrong}") from wrong


class Behaviour:
    """One program in force.

    Raises:
        ValueError: a rule has a bad regular expression or an empty script.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._seed = program.seed.to_bytes(8, "little", signed=True)
        self._rules = [_Counted(place, rule) for place, rule in enumerate(program.rules)]
        self._attempts: Counter[str] = Counter()
        for place, rule in enumerate(program.rules):
            if isinstance(rule.action, rules.Scripted) and not rule.action.texts:
                raise ValueError(f"rule {place}: a script needs at least one text")
            if isinstance(rule.action, rules.GzipBomb):
                bomb_response(rule.action)

    def decide(self, request: ChatRequest, token: str | None, now: float) -> Plan:
        """The plan for a request with that bearer token; `now` is Unix time, for dates in headers."""
        if not self.admits(token):
            return failure("bad_key")
        if self.program.models is not None and request.model not in self.program.models:
            return failure("model_not_found")
        draw = Draw(self._seed + request.digest)
        at = Moment(request, draw, draw.unit() < self.program.accept_share, now)
        chance = self._chance(request)
        chosen: _Counted | None = None
        for counted in self._rules:
            # Every rule counts every request it fits, so that windows do not depend on other rules.
            if counted.applies(request, chance) and chosen is None:
                chosen = counted
        if chosen is None:
            return self._after(self.program.latency, plan(_DEFAULT, at), chance)
        made = plan(chosen.rule.action, at, chosen.scripted())._replace(rule=chosen.place)
        chosen.applied += 1
        latency = chosen.rule.latency
        return self._after(self.program.latency if latency is None else latency, made, chance)

    def admits(self, token: str | None) -> bool:
        """Whether a bearer token is the programmed key, or none is asked for."""
        return self.program.api_key is None or token == self.program.api_key

    def _chance(self, request: ChatRequest) -> Draw:
        """Draws that differ between the attempts of one step."""
        who = request.key or request.digest.hex()
        self._attempts[who] += 1
        return Draw(b"%b%b%d" % (self._seed, request.digest, self._attempts[who]))

    def _after(self, latency: rules.Latency, made: Plan, chance: Draw) -> Plan:
        match latency:
            case rules.Uniform():
                seconds = chance.real(latency.low, latency.high)
            case rules.LogNormal():
                seconds = _lognormal(latency, chance)
            case _:
                seconds = latency
        return made if seconds <= 0 else made._replace(steps=(Wait(seconds), *made.steps))


def _lognormal(latency: rules.LogNormal, chance: Draw) -> float:
    return min(latency.cap, latency.median * math.exp(latency.sigma * chance.normal()))
