"""How many calls a model takes at once, and how workers share them. Pure: times come in as seconds of one clock.

The limit rises while it is fully used without trouble and falls when the provider pushes back (additive increase,
multiplicative decrease; Source: Chiu and Jain, 1989, "Analysis of the increase and decrease algorithms for congestion
avoidance"). Shares are max-min fair by demand.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from convo_models.backends.errors import BackendError, ErrorKind

DECREASE = 0.7
"""Factor on push-back."""
DECREASE_EVERY_S = 2.0
"""At most one decrease in this time: answers to calls sent before the last one say nothing new."""
INCREASE = 0.05
"""Share of the limit added at once, at least one call."""
INCREASE_EVERY_S = 1.0
LEASE_S = 5.0
"""A share that was not renewed for so long is free again."""
TURN_S = 2.0
"""Where there are more workers than calls, the calls go round in turns of this length."""
UNTOLD_COOLDOWN_S = 1.0
"""Cooldown after a rate limit that named no time."""
TROUBLE_WINDOW = 20
"""Results of one worker that are looked back on."""
TROUBLE_LEAST = 3
"""Overloads among them that count as push-back; fewer are single faults, at 4 percent usually."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The calls in flight that a model is allowed, all workers together."""

    most: int
    """Configured."""
    current: int
    """Allowed now; from 1 to ``most``."""
    cooldown_until: float = -math.inf
    decreased_at: float = -math.inf
    increased_at: float = -math.inf


@dataclass(frozen=True, slots=True)
class Share:
    """One worker's part of a limit, as it last said."""

    granted: int
    """It may use up to so many without asking; never less than it uses."""
    want: int
    """Most calls it had in flight or waiting since it last said."""


def push_back_s(error: BackendError, recent_overloads: int) -> float | None:
    """Seconds of cooldown that an error asks for; None where it is no push-back and the limit stays.

    Args:
        error: of the latest call.
        recent_overloads: overloads among this worker's latest ``TROUBLE_WINDOW`` results, this one counted.
    """
    if error.kind is ErrorKind.rate_limited:
        return UNTOLD_COOLDOWN_S if error.retry_after_s is None else error.retry_after_s
    if error.kind is not ErrorKind.overloaded:
        return None
    if error.retry_after_s is not None:
        return error.retry_after_s
    return 0.0 if recent_overloads >= TROUBLE_LEAST else None


def with_most(limit: Limit, most: int) -> Limit:
    """The limit under another configured number; one that was fully open stays so."""
    current = most if limit.current >= limit.most else min(limit.current, most)
    return replace(limit, most=most, current=current)


def decreased(limit: Limit, cooldown_s: float, now: float) -> Limit:
    """The limit after a push-back: lower, unless it has just been lowered, and cooling as long as anybody said."""
    cooling = replace(limit, cooldown_until=max(limit.cooldown_until, now + cooldown_s))
    if now - limit.decreased_at < DECREASE_EVERY_S:
        return cooling
    return replace(cooling, current=max(1, math.floor(limit.current * DECREASE)), decreased_at=now)


def increased(limit: Limit, wanted: int, now: float) -> Limit:
    """The limit after good results: higher, where all of it is wanted and the last change is long enough ago."""
    rested = now - max(limit.increased_at, limit.decreased_at) >= INCREASE_EVERY_S
    if wanted < limit.current or not rested or now < limit.cooldown_until:
        return limit
    more = limit.current + max(1, math.floor(limit.current * INCREASE))
    return replace(limit, current=min(limit.most, more), increased_at=now)


def fair_shares(total: int, wants: Mapping[str, int], turn: int) -> dict[str, int]:
    """Calls for each worker, ``total`` at most together.

    Everybody gets what they want, or an equal part where that is too much; what nobody wants is spread evenly over
    those who want something, so that they need not ask again. Single calls left over go round with ``turn``.
    """
    shares = dict.fromkeys(wants, 0)
    names = sorted(name for name in wants if wants[name] > 0)
    hungry, left = names, total
    while hungry and left >= len(hungry):
        least = min(wants[name] - shares[name] for name in hungry)
        step = min(least, left // len(hungry))
        for name in hungry:
            shares[name] += step
        left -= step * len(hungry)
        hungry = [name for name in hungry if shares[name] < wants[name]]
    taking = hungry or names
    for place, name in enumerate(taking):
        turned = (place + turn) % len(taking)
        shares[name] += left // len(taking) + (turned < left % len(taking))
    return shares


def grant(limit: Limit, shares: Mapping[str, Share], worker: str, now: float) -> tuple[int, int]:
    """(what the worker is granted now, what is fair for it).

    A share only shrinks when its holder has let go, so what others hold is not given twice: the sum of all grants
    stays within the limit, except while calls in flight outlast a decrease. A grant above the fair part asks the
    holder to let go.
    """
    wants = {name: share.want for name, share in shares.items()}
    fair = fair_shares(limit.current, wants, int(now // TURN_S))[worker]
    free = limit.current - sum(share.granted for name, share in shares.items() if name != worker)
    return max(shares[worker].granted, min(fair, free)), fair
