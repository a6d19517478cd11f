"""Checks of NATS and Postgres as a service finds them. They change nothing."""

import json
from collections.abc import Mapping

import asyncpg
import nats
from nats.errors import Error as NatsError

from convo_events.migrate import migrations
from convo_events.settings import Settings
from convo_events.streams import server_problems, stream_problems
from convo_events.subjects import LOG_STREAM
from convo_gateway.stack.findings import Finding, good, problem
from convo_gateway.stack.probe import answer

__all__ = ["check_database", "check_log", "check_monitor"]

OLDEST_POSTGRES = 15
TIMEOUT_S = 5.0


async def check_monitor(url: str) -> Finding:
    """Whether the NATS server syncs every write before it acknowledges it."""
    if not url:
        return problem(
            "nats-sync",
            "The monitoring address of NATS is not known, so its durability cannot be checked.",
            "Set CONVO_NATS_MONITOR_URL.",
        )
    try:
        status, body = await answer(f"{url}/varz", TIMEOUT_S)
        varz = json.loads(body) if status == 200 else {}
    except (OSError, ValueError) as error:
        return problem(
            "nats-sync",
            f"NATS monitoring at {url} does not answer ({error}).",
            "Start it: convo up. Or set CONVO_NATS_MONITOR_URL right.",
        )
    if wrong := server_problems(varz):
        return problem(
            "nats-sync", f"{'; '.join(wrong)}.", "Use the settings of deploy/nats/nats.conf."
        )
    return good("nats-sync", "NATS has every event on the disk before it acknowledges it.")


async def check_log(settings: Settings) -> Finding:
    """Whether NATS lets the service in, and the log stream can lose nothing."""
    try:
        reply = await _stream_info(settings)
    except (NatsError, OSError) as error:
        return problem(
            "nats-log",
            f"NATS at {settings.nats_url} cannot be used ({error or type(error).__name__}).",
            "Is it running (convo up), and does it know the users of authorization.conf?",
        )
    if "error" in reply:
        return problem(
            "nats-log",
            f"The stream {LOG_STREAM} is missing.",
            "Make it: python -m convo_events.migrate (convo up does it by itself).",
        )
    if wrong := stream_problems(reply["config"]):
        return problem(
            "nats-log",
            f"The stream {LOG_STREAM} could lose events: {'; '.join(wrong)}.",
            "Run python -m convo_events.migrate.",
        )
    return good("nats-log", f"The stream {LOG_STREAM} keeps everything.")


async def check_database(settings: Settings) -> list[Finding]:
    """Whether Postgres lets the service in, is new and safe enough, and has our tables."""
    try:
        connection = await asyncpg.connect(settings.dsn(), timeout=TIMEOUT_S)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        return [
            problem(
                "postgres",
                f"Postgres cannot be used ({type(error).__name__}: {error}).",
                "Is it running (convo up), and are CONVO_DATABASE_URL and its password right?",
            )
        ]
    try:
        return [await _server(connection), await _schema(connection)]
    finally:
        await connection.close()


async def _stream_info(settings: Settings) -> Mapping[str, dict[str, object]]:
    async def quiet(error: Exception) -> None:
        """Say nothing: what matters is raised."""

    client = await nats.connect(
        settings.nats_url,
        user=settings.nats_user,
        password=settings.nats_password(),
        inbox_prefix=f"_INBOX_{settings.nats_user}",
        allow_reconnect=False,
        max_reconnect_attempts=1,
        reconnect_time_wait=0,
        connect_timeout=int(TIMEOUT_S),
        error_cb=quiet,
    )
    try:
        reply = await client.request(f"$JS.API.STREAM.INFO.{LOG_STREAM}", timeout=TIMEOUT_S)
    finally:
        await client.close()
    found: dict[str, dict[str, object]] = json.loads(reply.data)
    return found


async def _server(connection: asyncpg.Connection) -> Finding:
    number = int(await connection.fetchval("show server_version_num")) // 10_000
    if number < OLDEST_POSTGRES:
        return problem(
            "postgres",
            f"Postgres has version {number}; convo needs {OLDEST_POSTGRES} or newer.",
            "Upgrade the server, or unset CONVO_DATABASE_URL to use the embedded one.",
        )
    off = [
        name
        for name in ("fsync", "full_page_writes", "synchronous_commit")
        if await connection.fetchval(f"show {name}") == "off"
    ]
    if off:
        return problem(
            "postgres",
            f"Postgres may lose what it has committed: {', '.join(off)} is off.",
            "Set it to on in postgresql.conf and restart Postgres.",
        )
    return good("postgres", f"Postgres {number} is reachable and safe.")


async def _schema(connection: asyncpg.Connection) -> Finding:
    wanted = migrations()[-1][0]
    if await connection.fetchval("select to_regclass('schema_migration')") is None:
        have = 0
    else:
        have = await connection.fetchval("select max(version) from schema_migration") or 0
    if have > wanted:
        return problem(
            "schema",
            f"The tables are of version {have}, this convo knows {wanted}.",
            "Install a newer convo, or restore an older database.",
        )
    if have < wanted:
        return problem(
            "schema",
            f"The tables are of version {have}, this convo has {wanted}.",
            "convo up brings them up to date; or run python -m convo_events.migrate.",
        )
    return good("schema", f"The tables are of version {have}, as they should be.")
