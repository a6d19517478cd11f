"""What a process is told from outside, read once from a mapping at start. Secrets are never printed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Self
from urllib.parse import quote, urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from convo_events.errors import Misconfigured


class Settings(BaseModel):
    """Settings that every room shares. Each field is read from ``CONVO_<FIELD>``."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    nats_url: str
    """Address of the NATS server, without a password."""
    nats_user: str = ""
    """User of this service; empty where the server asks for none."""
    nats_password_file: Path | None = None
    """File that holds the password."""
    nats_monitor_url: str = ""
    """HTTP monitoring address; the durability of the log is checked there at start."""
    database_url: SecretStr
    """PostgreSQL address."""
    database_password_file: Path | None = None
    """File that holds the password, where the address has none."""
    service_port: int = 0
    """Port of health and metrics; 0 takes any free one."""
    service_host: str = "127.0.0.1"
    """Where health and metrics listen."""
    gateway_port: int = 8420
    """Port of the gateway."""
    instance: str = "local"
    """Stable name of this slot, such as ``generator-2``."""
    incarnation: int = 1
    """Rises with each restart of the slot."""
    log_format: str = "json"
    """``json`` or ``text``."""
    slots: int = 128
    """Steps a worker holds at once."""
    ack_wait_s: float = 30
    """How long NATS waits for a sign of life of a step before it gives it to another worker."""
    window_steps: int = 5_000
    """Most open steps over all runs."""
    otlp_endpoint: str = ""
    """OpenTelemetry collector (OTLP over HTTP); empty: no traces are sent."""

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """Settings from an environment.

        Raises:
            Misconfigured: naming each variable that is missing or malformed, never its value.
        """
        known = {
            name: value
            for name in cls.model_fields
            if (value := env.get(f"CONVO_{name.upper()}", "")) != ""
        }
        try:
            return cls.model_validate(known)
        except ValidationError as error:
            wrong = [f"CONVO_{str(e['loc'][0]).upper()}: {e['msg']}" for e in error.errors()]
            raise Misconfigured("; ".join(wrong)) from None

    @property
    def owner(self) -> str:
        """Who holds a lease: the slot and its incarnation."""
        return f"{self.instance}/{self.incarnation}"

    def nats_password(self) -> str | None:
        """The password of this service on NATS, or None.

        Raises:
            Misconfigured: when its file cannot be read.
        """
        file = self.nats_password_file
        return _secret("CONVO_NATS_PASSWORD_FILE", file) if file else None

    def dsn(self) -> str:
        """The PostgreSQL address with its password. Never log it.

        Raises:
            Misconfigured: when the file of the password cannot be read.
        """
        url = self.database_url.get_secret_value()
        parts = urlsplit(url)
        if self.database_password_file is None or parts.password:
            return url
        secret = _secret("CONVO_DATABASE_PASSWORD_FILE", self.database_password_file)
        password = quote(secret, safe="")
        user, _, host = parts.netloc.rpartition("@")
        return urlunsplit(parts._replace(netloc=f"{user or 'postgres'}:{password}@{host}"))


def _secret(variable: str, file: Path) -> str:
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{variable}: cannot read {file}: {type(error).__name__}") from None
