"""What a process is told: missing things are named, values never shown."""

from pathlib import Path

import pytest

from convo_events.errors import Misconfigured
from convo_events.settings import Settings

ENV = {
    "CONVO_NATS_URL": "nats://127.0.0.1:4222",
    "CONVO_DATABASE_URL": "postgresql://convo@127.0.0.1:5432/convo",
}


def secret(tmp_path: Path, text: str = "p@ss/w:rd?#%\n") -> Path:
    file = tmp_path / "password"
    file.write_text(text)
    return file


def test_what_is_not_told_has_a_default() -> None:
    settings = Settings.from_env(ENV)

    assert settings.ack_wait_s == 30
    assert settings.nats_password() is None
    assert settings.dsn() == ENV["CONVO_DATABASE_URL"]


def test_slot_and_incarnation_make_the_owner() -> None:
    settings = Settings.from_env({**ENV, "CONVO_INSTANCE": "generator-2", "CONVO_INCARNATION": "7"})
    assert settings.owner == "generator-2/7"


def test_other_variables_are_left_alone() -> None:
    assert Settings.from_env({**ENV, "CONVO_HOME": "/x", "PATH": "/bin"}) == Settings.from_env(ENV)


def test_each_missing_variable_is_named() -> None:
    with pytest.raises(Misconfigured) as caught:
        Settings.from_env({})
    assert "CONVO_NATS_URL" in str(caught.value)
    assert "CONVO_DATABASE_URL" in str(caught.value)


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert Settings.from_env({**ENV, "CONVO_NATS_PASSWORD_FILE": ""}).nats_password() is None
    with pytest.raises(Misconfigured, match="CONVO_NATS_URL"):
        Settings.from_env({**ENV, "CONVO_NATS_URL": ""})


def test_malformed_values_are_named_and_not_shown() -> None:
    wrong = {"CONVO_SLOTS": "canary-1", "CONVO_ACK_WAIT_S": "canary-2"}
    with pytest.raises(Misconfigured) as caught:
        Settings.from_env({**ENV, **wrong})
    assert "CONVO_SLOTS" in str(caught.value)
    assert "CONVO_ACK_WAIT_S" in str(caught.value)
    assert "canary" not in str(caught.value)


def test_the_address_of_the_database_is_never_printed() -> None:
    settings = Settings.from_env(
        {**ENV, "CONVO_DATABASE_URL": "postgresql://convo:canary@127.0.0.1/convo"}
    )
    assert "canary" not in f"{settings!r} {settings} {settings.model_dump()}"
    assert "canary" in settings.dsn()


def test_the_password_of_the_file_goes_into_the_address(tmp_path: Path) -> None:
    settings = Settings.from_env({**ENV, "CONVO_DATABASE_PASSWORD_FILE": str(secret(tmp_path))})
    assert settings.dsn() == "postgresql://convo:p%40ss%2Fw%3Ard%3F%23%25@127.0.0.1:5432/convo"


def test_a_password_in_the_address_goes_first(tmp_path: Path) -> None:
    url = "postgresql://convo:mine@127.0.0.1/convo"
    settings = Settings.from_env(
        {
            **ENV,
            "CONVO_DATABASE_URL": url,
            "CONVO_DATABASE_PASSWORD_FILE": str(secret(tmp_path)),
        }
    )
    assert settings.dsn() == url


def test_an_address_without_user_is_of_postgres(tmp_path: Path) -> None:
    settings = Settings.from_env(
        {
            **ENV,
            "CONVO_DATABASE_URL": "postgresql://127.0.0.1/convo",
            "CONVO_DATABASE_PASSWORD_FILE": str(secret(tmp_path, "x")),
        }
    )
    assert settings.dsn() == "postgresql://postgres:x@127.0.0.1/convo"


def test_the_password_of_nats_is_the_text_of_its_file(tmp_path: Path) -> None:
    settings = Settings.from_env({**ENV, "CONVO_NATS_PASSWORD_FILE": str(secret(tmp_path))})
    assert settings.nats_password() == "p@ss/w:rd?#%"


def test_a_password_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    settings = Settings.from_env(
        {**ENV, "CONVO_NATS_PASSWORD_FILE": gone, "CONVO_DATABASE_PASSWORD_FILE": gone}
    )
    with pytest.raises(Misconfigured, match=r"CONVO_NATS_PASSWORD_FILE.*gone"):
        settings.nats_password()
    with pytest.raises(Misconfigured, match=r"CONVO_DATABASE_PASSWORD_FILE.*gone"):
        settings.dsn()
