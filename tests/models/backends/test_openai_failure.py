from datetime import UTC, datetime

import orjson
import pytest

from convo_events.usage import Usage
from convo_models.backends.errors import BackendError, Billed, ErrorKind
from convo_models.backends.openai_failure import failure, inner_failure
from convo_models.backends.protocol import Json

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def _body(message: str, **fields: Json) -> bytes:
    return orjson.dumps({"error": {"message": message, **fields}})


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, _body("Unknown parameter: 'seed'."), ErrorKind.bad_request),
        (422, orjson.dumps({"detail": [{"msg": "field required"}]}), ErrorKind.bad_request),
        (400, _body("too long", code="context_length_exceeded"), ErrorKind.context_exceeded),
        (400, _body("This model's maximum context length is 8"), ErrorKind.context_exceeded),
        (413, _body("Request too large"), ErrorKind.context_exceeded),
        (400, _body("no", code="content_policy_violation"), ErrorKind.refused),
        (400, _body("The response was filtered", code="content_filter"), ErrorKind.refused),
        (403, _body("Your input was flagged"), ErrorKind.refused),
        (401, _body("Incorrect API key"), ErrorKind.auth),
        (403, _body("no access"), ErrorKind.auth),
        (402, _body("Insufficient credits"), ErrorKind.quota),
        (429, _body("x", type="insufficient_quota"), ErrorKind.quota),
        (429, _body("You exceeded your current quota"), ErrorKind.quota),
        (429, _body("Rate limit reached for requests"), ErrorKind.rate_limited),
        (429, b"", ErrorKind.rate_limited),
        (404, _body("The model `x` does not exist"), ErrorKind.not_found),
        (408, b"", ErrorKind.timeout),
        (500, _body("The server had an error"), ErrorKind.overloaded),
        (502, b"<html>Bad gateway</html>", ErrorKind.overloaded),
        (503, b"\xff\xfe", ErrorKind.overloaded),
        (504, b"[1]", ErrorKind.overloaded),
        (529, b"null", ErrorKind.overloaded),
        (418, b"{}", ErrorKind.bad_request),
    ],
)
def test_every_status_has_one_kind(status: int, body: bytes, kind: ErrorKind) -> None:
    error = failure(status, {}, body, NOW)
    assert (error.kind, error.status) == (kind, status)
    assert error.message.startswith(f"HTTP {status}: ")
    assert len(error.message) > len(f"HTTP {status}: ")


@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        ({"code": 429, "message": "slow down"}, ErrorKind.rate_limited),
        ({"type": "rate_limit_error", "message": "slow down"}, ErrorKind.rate_limited),
        ({"type": "overloaded_error", "message": "busy"}, ErrorKind.overloaded),
        ({"code": 400, "message": "bad"}, ErrorKind.bad_request),
        ("something", ErrorKind.overloaded),
        ({"message": "lone \ud800"}, ErrorKind.overloaded),
        ({"odd": "\ud800"}, ErrorKind.overloaded),
    ],
)
def test_an_error_inside_an_answer_may_have_been_billed(inner: Json, kind: ErrorKind) -> None:
    error = inner_failure(inner, {}, NOW)
    assert (error.kind, error.status, error.billed) == (kind, 200, "maybe")


def test_only_a_rate_limit_looks_at_the_reset_headers() -> None:
    headers = {"x-ratelimit-reset-requests": "6m0s"}
    assert failure(429, headers, b"", NOW).retry_after_s == 360
    assert failure(503, headers, b"", NOW).retry_after_s is None
    assert failure(503, {"retry-after": "4"}, b"", NOW).retry_after_s == 4
    assert failure(400, {"retry-after": "4"}, b"", NOW).retry_after_s is None


def test_l01_only_waiting_for_a_rate_limit_uses_up_no_retry() -> None:
    assert [kind for kind in ErrorKind if not BackendError(kind, "").counts] == [
        ErrorKind.rate_limited
    ]


def test_l10_a_bad_request_is_not_tried_again() -> None:
    passing = {kind for kind in ErrorKind if BackendError(kind, "").retryable}
    assert passing == {
        ErrorKind.rate_limited,
        ErrorKind.overloaded,
        ErrorKind.unreachable,
        ErrorKind.timeout,
        ErrorKind.malformed,
    }


@pytest.mark.parametrize(
    ("error", "billed"),
    [
        (BackendError(ErrorKind.unreachable, "", sent=False), "no"),
        (BackendError(ErrorKind.unreachable, ""), "maybe"),
        (BackendError(ErrorKind.timeout, ""), "maybe"),
        (BackendError(ErrorKind.timeout, "", status=408), "maybe"),
        (BackendError(ErrorKind.overloaded, "", status=500), "maybe"),
        (BackendError(ErrorKind.malformed, "", status=200), "maybe"),
        (BackendError(ErrorKind.bad_request, "", status=400), "no"),
        (BackendError(ErrorKind.rate_limited, "", status=429), "no"),
        (
            BackendError(ErrorKind.malformed, "", usage=Usage(input_tokens=1, output_tokens=1)),
            "yes",
        ),
    ],
)
def test_what_a_failed_call_costs(error: BackendError, billed: Billed) -> None:
    assert error.billed == billed
