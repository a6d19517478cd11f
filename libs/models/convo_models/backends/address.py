"""Where a backend is and with which key, read from the environment at the call and kept out of every message."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from yarl import URL

from convo_events.catalog import Backend
from convo_models.backends.errors import BackendError, ErrorKind
from convo_models.backends.text import one_line

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_SHORTEST_SECRET = 4
"""A shorter value is no secret, and replacing it would garble the message."""
_MESSAGE_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Address:
    """An API with its key; only the names of what was read can be seen."""

    url: URL = field(repr=False)
    """Of chat completions."""
    key: str | None = field(repr=False)
    names: Mapping[str, str] = field(repr=False)
    """Value that was read, to the ``${NAME}`` it came from."""

    def safe(self, text: str) -> str:
        """The text on one line, at most 500 characters, with every value that was read put back to its name."""
        for value in sorted(self.names, key=len, reverse=True):
            text = text.replace(value, self.names[value])
        return one_line(text, _MESSAGE_LIMIT)


def resolve(backend: Backend, environment: Mapping[str, str]) -> Address:
    """The address of a backend as of now.

    Raises:
        BackendError: ``auth`` for a variable that is missing, ``bad_request`` for an address that is none; nothing
            was sent, and the message names variables and never values.
    """
    names: dict[str, str] = {}

    def value(name: str) -> str:
        found = environment.get(name, "").strip()
        if not found:
            raise _unsent(
                ErrorKind.auth,
                f"backend {backend.name}: environment variable {name} is not set; set it where this service starts",
            )
        if len(found) >= _SHORTEST_SECRET:
            names[found] = f"${{{name}}}"
        return found

    base = _REFERENCE.sub(lambda match: value(match[1]), backend.base_url)
    key = value(backend.key_env) if backend.key_env else None
    if key is not None and not (key.isascii() and key.isprintable()):
        raise _unsent(
            ErrorKind.auth,
            f"backend {backend.name}: environment variable {backend.key_env} holds characters no key can have",
        )
    return Address(_chat_url(base, backend), key, names)


def _chat_url(base: str, backend: Backend) -> URL:
    try:
        url = URL(base.rstrip("/") + "/chat/completions")
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host or url.user or url.password:
        raise _unsent(
            ErrorKind.bad_request,
            f"backend {backend.name}: base_url {backend.base_url} does not give an http or https address",
        )
    return url


def _unsent(kind: ErrorKind, message: str) -> BackendError:
    return BackendError(kind, message, sent=False)
