"""Postgres: the pool, and outages by their name. SQL lives beside the code that owns the table."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

import asyncpg

from convo_events.errors import Misconfigured, Unavailable
from convo_events.settings import Settings

OUTAGES = (
    OSError,
    asyncio.TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    # A connection that breaks in the middle of an operation can be left in a state that asyncpg itself stumbles over.
    asyncpg.InternalClientError,
    asyncpg.DiskFullError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)
"""What asyncpg raises when the server is away, full or overloaded, and a later try may pass."""

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]"
"""A connection of one's own, or one lent by the pool."""
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"


async def _keep(_: Connection) -> None:
    """Leave a returned connection as it is: nothing here changes its session, and a reset is one more round trip."""


async def open_pool(settings: Settings, *, most: int = 8, schema: str = "public") -> Pool:
    """A pool of connections that find their tables in a schema.

    Raises:
        Unavailable: when the server cannot be reached.
        Misconfigured: when it refuses the login or has no such database.
    """
    try:
        return await asyncpg.create_pool(
            settings.dsn(),
            min_size=1,
            max_size=most,
            command_timeout=60,
            server_settings={
                "application_name": settings.instance,
                "jit": "off",
                "search_path": schema,
            },
            reset=_keep,
        )
    except (
        asyncpg.InvalidAuthorizationSpecificationError,
        asyncpg.InvalidCatalogNameError,
    ) as error:
        raise Misconfigured(f"PostgreSQL refused the login: {error}") from None
    except OUTAGES as error:
        raise Unavailable(f"PostgreSQL is not reachable: {error}", part="postgres") from None


@asynccontextmanager
async def outage_named() -> AsyncIterator[None]:
    """Turn asyncpg's many ways to say "the server is away" into ``Unavailable``.

    Raises:
        Unavailable: in place of any of ``OUTAGES``.
    """
    try:
        yield
    except OUTAGES as error:
        raise Unavailable(
            f"PostgreSQL is away: {type(error).__name__}: {error}", part="postgres"
        ) from error
