"""How long a provider asks to wait, read from the header forms seen in the wild.

Sources: RFC 9110 section 10.2.3 (seconds or a date); ``retry-after-ms`` and ``x-ratelimit-reset-*`` as OpenAI sends
them (durations such as ``1s``, ``6m0s``, ``20ms``).
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_S = 900.0
"""No wait is longer: a provider that says more is asked again after this."""
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|us|µs|[dhms]))+", re.ASCII)
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|us|µs|[dhms])", re.ASCII)
_UNIT_S = {"d": 86_400, "h": 3_600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds the provider asks to wait, from 0 to ``LONGEST_S``; None where it does not say.

    Milliseconds go first, being the finer form.

    Args:
        headers: names in any case where the mapping ignores case, else in lower case.
        now: when the answer came, with its offset.
    """
    if (millis := _number(headers.get("retry-after-ms", ""))) is not None:
        return _clamp(millis / 1_000)
    wait = _wait(headers.get("retry-after", ""), now)
    return None if wait is None else _clamp(wait)


def reset_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds until a rate limit starts anew, from 0 to ``LONGEST_S``; None where the headers do not say.

    The longest wait among the limits that are used up, or among all where none says that it is.
    """
    resets = []
    for limit in ("requests", "tokens"):
        wait = duration_s(headers.get(f"x-ratelimit-reset-{limit}", ""))
        if wait is not None:
            used_up = headers.get(f"x-ratelimit-remaining-{limit}", "").strip() == "0"
            resets.append((used_up, wait))
    if not resets:
        return None
    return _clamp(max([wait for used_up, wait in resets if used_up] or [w for _, w in resets]))


def duration_s(text: str) -> float | None:
    """Seconds of ``1.2s``, ``6m0s``, ``20ms`` or a bare number; None for anything else."""
    text = text.strip().lower()[:64]
    if (number := _number(text)) is not None:
        return number
    if not _DURATION.fullmatch(text):
        return None
    return sum(float(count) * _UNIT_S[unit] for count, unit in _PART.findall(text))


def _wait(text: str, now: datetime) -> float | None:
    if (seconds := duration_s(text)) is not None:
        return seconds
    try:
        at = parsedate_to_datetime(text.strip()[:64])
    except (ValueError, IndexError, OverflowError):
        return None
    return ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()


def _number(text: str) -> float | None:
    try:
        number = float(text[:64])
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _clamp(seconds: float) -> float:
    return min(max(seconds, 0.0), LONGEST_S)
