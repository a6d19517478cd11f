"""The connection of a service to NATS. FastStream carries commands and ticks; the log rides on the same connection."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

import nats.errors
from faststream.nats import NatsBroker
from faststream.security import SASLPlaintext

from convo_events.errors import Misconfigured, Unavailable
from convo_events.settings import Settings

log = logging.getLogger(__name__)


def broker_for(
    settings: Settings,
    *,
    on_closed: Callable[[], None] | None = None,
    middlewares: Sequence[Any] = (),
) -> NatsBroker:
    """A broker that reconnects for ever and tells when the connection is closed for good. It is not connected yet."""

    async def closed() -> None:
        if on_closed is not None:
            on_closed()

    async def disconnected() -> None:
        # Also called at an orderly end, which is nothing to tell.
        if not broker.connection.is_closed:
            log.warning("NATS is away, reconnecting", extra={"action": "nats_disconnected"})

    async def error(problem: Exception) -> None:
        log.warning("NATS: %s", problem, extra={"action": "nats_error"})

    password = settings.nats_password()
    security = (
        SASLPlaintext(username=settings.nats_user, password=password, use_ssl=False)
        if settings.nats_user and password
        else None
    )
    broker = NatsBroker(
        settings.nats_url,
        name=settings.instance,
        security=security,
        inbox_prefix=f"_INBOX_{settings.nats_user}" if settings.nats_user else "_INBOX",
        # After the default 60 tries the client closes for good and a pull loop spins: never give up instead.
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        connect_timeout=5,
        ping_interval=20,
        pending_size=16 * 1024 * 1024,
        closed_cb=closed,
        disconnected_cb=disconnected,
        error_cb=error,
        middlewares=middlewares,
        logger=None,
    )
    return broker


async def connect(settings: Settings, **options: Any) -> NatsBroker:
    """A connected broker.

    Raises:
        Misconfigured: when the server refuses the login.
        Unavailable: when it cannot be reached.
    """
    broker = broker_for(settings, **options)
    await connect_broker(broker, settings)
    return broker


async def connect_broker(broker: NatsBroker, settings: Settings) -> None:
    """Connect a broker made by ``broker_for``.

    Raises:
        Misconfigured: when the server refuses the login.
        Unavailable: when it cannot be reached.
    """
    try:
        await broker.connect()
    except (nats.errors.AuthorizationError, nats.errors.Error) as problem:
        if "authorization" in str(problem).lower():
            raise Misconfigured(f"NATS refused the login of user {settings.nats_user!r}") from None
        raise Unavailable(
            f"NATS is not reachable at {settings.nats_url}: {problem}", part="nats"
        ) from None
    except OSError as problem:
        raise Unavailable(
            f"NATS is not reachable at {settings.nats_url}: {problem}", part="nats"
        ) from None
