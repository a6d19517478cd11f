import pytest

from convo_events.catalog import Backend, Model
from convo_models.backends.address import resolve
from convo_models.backends.errors import BackendError

KEY = "sk-canary-77e2"


def _backend(base_url: str, key_env: str | None = "API_KEY") -> Backend:
    return Backend(name="b", base_url=base_url, key_env=key_env, models=(Model(name="m"),))


def test_an_echoed_key_goes_back_to_its_name() -> None:
    address = resolve(
        _backend("https://${HOST}/v1/"), {"API_KEY": KEY + "\n", "HOST": "models.example"}
    )
    assert str(address.url) == "https://models.example/v1/chat/completions"
    assert address.key == KEY
    assert address.safe(f"bad key {KEY} at models.example") == "bad key ${API_KEY} at ${HOST}"
    assert KEY not in repr(address)


def test_a_message_is_one_visible_line_of_500_characters() -> None:
    address = resolve(_backend("http://x", key_env=None), {})
    assert address.safe("a\x1b[31m\nb\u202ec\ud800") == "a\\u001b[31m b\\u202ec\ufffd"
    long = address.safe("é" * 10_000)
    assert len(long) == 500
    assert long.endswith("…")


def test_a_key_is_taken_out_before_the_message_is_cut() -> None:
    address = resolve(_backend("http://x"), {"API_KEY": KEY})
    assert "sk-canary" not in address.safe("x" * 490 + KEY)


@pytest.mark.parametrize(
    ("base_url", "environment", "words"),
    [
        ("http://x", {}, "API_KEY is not set"),
        ("http://x", {"API_KEY": "  "}, "API_KEY is not set"),
        ("http://x", {"API_KEY": "sk-canary\r\nHost: evil"}, "API_KEY holds characters"),
        ("http://x", {"API_KEY": "sk-canary-é"}, "API_KEY holds characters"),
        ("http://${HOST}", {"API_KEY": KEY}, "HOST is not set"),
        ("http://${HOST}", {"API_KEY": KEY, "HOST": "u:pw-canary@h"}, "does not give an http"),
        ("http://${HOST}", {"API_KEY": KEY, "HOST": "h:99999999"}, "does not give an http"),
        ("http://${HOST}", {"API_KEY": KEY, "HOST": "[canary"}, "does not give an http"),
    ],
)
def test_a_bad_environment_is_named_and_not_shown(
    base_url: str, environment: dict[str, str], words: str
) -> None:
    with pytest.raises(BackendError, match=words) as caught:
        resolve(_backend(base_url), environment)
    assert "canary" not in str(caught.value)
    assert (caught.value.sent, caught.value.billed) == (False, "no")
