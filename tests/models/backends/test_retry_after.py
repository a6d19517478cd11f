from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from convo_models.backends.retry_after import LONGEST_S, duration_s, reset_after_s, retry_after_s

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "86400"}, LONGEST_S),
        ({"retry-after": "inf"}, LONGEST_S),
        ({"retry-after": "1e400"}, LONGEST_S),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "9" * 5_000}, LONGEST_S),
        ({"retry-after": "6m0s"}, 360),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9),
        ({"retry-after": format_datetime(NOW + timedelta(seconds=42), usegmt=True)}, 42),
        ({"retry-after": format_datetime(NOW - timedelta(hours=1), usegmt=True)}, 0),
        ({"retry-after": format_datetime(NOW + timedelta(days=400), usegmt=True)}, LONGEST_S),
        ({"retry-after": "Sun, 99 Foo 2026 12:00:00 GMT"}, None),
    ],
)
def test_l06_retry_after_is_read_in_every_form(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1s", 1),
        ("1.2s", 1.2),
        ("6m0s", 360),
        ("20ms", 0.02),
        ("1h2m3s", 3723),
        ("1d", 86_400),
        ("3", 3),
        ("", None),
        ("s", None),
        ("1 fortnight", None),
        ("2026-03-01T12:00:00Z", None),
    ],
)
def test_durations(text: str, seconds: float | None) -> None:
    assert duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"x-ratelimit-reset-requests": "1.2s"}, 1.2),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s"}, 360),
        (
            {
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-tokens": "6m0s",
                "x-ratelimit-remaining-tokens": "9000",
            },
            1,
        ),
        ({"x-ratelimit-reset-tokens": "2d"}, LONGEST_S),
        ({"x-ratelimit-reset-tokens": "later"}, None),
    ],
)
def test_the_limit_that_is_used_up_tells_the_wait(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert reset_after_s(headers) == seconds
