"""Makes exports in the background, one at a time in each gateway, and takes up those that another one left."""

import asyncio
import hashlib
import logging
import time
from contextlib import suppress
from datetime import timedelta

from convo_events.clock import now
from convo_events.errors import Invalid, NotFound, Refused, Unavailable
from convo_gateway.connections import Connections
from convo_gateway.exports import operations
from convo_gateway.exports.make import make_folder
from convo_gateway.exports.operations import Held
from convo_gateway.exports.orders import Settled, order_of
from convo_gateway.exports.places import Places
from convo_gateway.gateway_settings import GatewaySettings
from convo_gateway.shapes.export_manifest import FolderManifest
from convo_gateway.shapes.exports import ExportMade

log = logging.getLogger(__name__)

LOOK_S = 2.0
"""How often it looks for exports that nobody makes."""
TELL_S = 0.5
"""How often it tells how far an export is."""
SWEEP_S = 600.0
"""How often files that nobody wants any more are looked for."""
STRANGE_S = 3_600.0
"""Files that no export has are deleted when nobody touched them for so long."""


class Lost(Exception):
    """Somebody else makes the export now, or nobody wants it any more."""


class ExportWorker:
    """Makes what is queued."""

    def __init__(self, settings: GatewaySettings, connections: Connections, version: str) -> None:
        """Nothing is made before ``run``."""
        self.places = Places(settings.exports_folder)
        self._settings = settings
        self._connections = connections
        self._version = version
        self._wake = asyncio.Event()
        self._swept_at = float("-inf")

    def wake(self) -> None:
        """Look now: something was queued."""
        self._wake.set()

    async def run(self) -> None:
        """Make exports until cancelled."""
        while True:
            self._wake.clear()
            try:
                busy = await self.once()
            except Unavailable:
                busy = False
            except Exception:
                log.exception("exports stumbled", extra={"action": "export"})
                busy = False
            if not busy:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), LOOK_S)

    async def once(self) -> bool:
        """Make the oldest export that nobody makes; whether there was one.

        Raises:
            Unavailable: while Postgres is away.
        """
        await self._sweep()
        async with self._connections.database() as c:
            await operations.give_up(c)
            held = await operations.take(c, self._settings.owner)
        if held is None:
            return False
        told = {"action": "export", "export": held.id, "fence": held.fence}
        log.info("export begun", extra=told)
        try:
            await self._make(held)
        except asyncio.CancelledError:
            with suppress(Unavailable, TimeoutError):
                async with asyncio.timeout(2), self._connections.database() as c:
                    await operations.let_go(c, held)
            raise
        except Lost:
            log.info("export is not wanted here any more", extra=told)
        except Unavailable:
            # The lease ends by itself, and whoever finds it then begins anew.
            log.warning("export left", extra=told)
        except (Invalid, NotFound, Refused) as error:
            await self._fail(held, str(error))
        except OSError as error:
            await self._fail(held, f"The folder of exports cannot be written: {error.strerror}.")
        except Exception:
            log.exception("export failed", extra=told)
            await self._fail(held, "An error of convo itself; the log of the gateway has it.")
        finally:
            await asyncio.to_thread(self.places.clear, held.id, held.fence)
        return True

    async def _fail(self, held: Held, problem: str) -> None:
        async with self._connections.database() as c:
            await operations.fail(c, held, problem[:2_000])

    async def _make(self, held: Held) -> None:
        """Make it, under a heartbeat.

        Raises:
            Lost: it is not ours any more.
        """
        making = asyncio.create_task(self._folder(held))
        beating = asyncio.create_task(self._beat(held))
        try:
            await asyncio.wait({making, beating}, return_when=asyncio.FIRST_COMPLETED)
            if beating.done():
                beating.result()
            manifest = await making
        finally:
            for task in (making, beating):
                task.cancel()
            await asyncio.gather(making, beating, return_exceptions=True)
        made, size = made_of(manifest)
        await asyncio.to_thread(self.places.put, held.id, held.fence)
        async with self._connections.database() as c:
            done = await operations.finish(c, held, made, size)
        if not done:
            raise Lost
        log.info("export done", extra={"action": "export", "export": held.id, "bytes": size})

    async def _folder(self, held: Held) -> FolderManifest:
        settled = Settled.model_validate_json(held.wish)
        scratch = await asyncio.to_thread(self.places.begin, held.id, held.fence)
        told_at = float("-inf")

        async def report(looked_at: int, total: int, size: int) -> None:
            nonlocal told_at
            if time.monotonic() - told_at < TELL_S and looked_at < total:
                return
            told_at = time.monotonic()
            await self._tell(held, looked_at, total, size)

        async with self._connections.reading() as c:
            order = await order_of(c, settled, now(), self._version)
            return await make_folder(c, order, scratch, report)

    async def _tell(self, held: Held, looked_at: int, total: int, size: int) -> None:
        async with self._connections.database() as c:
            ours = await operations.hold(c, held, looked_at=looked_at, total=total, size=size)
            kept = await operations.bytes_kept(c, held.id)
        if not ours:
            raise Lost
        most = self._settings.exports_max_bytes
        if kept + size > most:
            raise Refused(
                f"The exports would take more than {most:,} bytes on disk: delete some, compress this one, or raise "
                "CONVO_EXPORTS_MAX_BYTES.",
                code="exports-full",
                state="full",
            )

    async def _beat(self, held: Held) -> None:
        """Keep the lease while nothing else is told.

        Raises:
            Lost: it is not ours any more.
        """
        while True:
            await asyncio.sleep(operations.LEASE.total_seconds() / 3)
            with suppress(Unavailable):
                async with self._connections.database() as c:
                    if not await operations.hold(c, held):
                        raise Lost

    async def _sweep(self) -> None:
        """Delete files that are too old, and those that no export has."""
        if time.monotonic() - self._swept_at < SWEEP_S:
            return
        old = await asyncio.to_thread(self.places.untouched, time.time() - STRANGE_S)
        async with self._connections.database() as c:
            days = timedelta(days=self._settings.exports_kept_days)
            gone = set(await operations.expire(c, days))
            wanted = await operations.known(c, sorted(old))
        for export in sorted(gone | (old - wanted)):
            await asyncio.to_thread(self.places.remove, export)
        self._swept_at = time.monotonic()


def made_of(manifest: FolderManifest) -> tuple[str, int]:
    """What is kept of a manifest for pages, as JSON, and the bytes of the whole folder."""
    body = manifest.body()
    made = ExportMade(
        counts=manifest.counts,
        coverage=manifest.coverage,
        cost=manifest.cost,
        files=[file.model_copy(update={"blocks": ()}) for file in manifest.files],
        manifest_sha256=hashlib.sha256(body).hexdigest(),
        manifest_bytes=len(body),
    )
    return made.model_dump_json(), sum(file.bytes for file in manifest.files) + len(body)
