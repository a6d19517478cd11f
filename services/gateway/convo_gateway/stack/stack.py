"""The whole stack: NATS, Postgres, then the services; and how each of them finds the others."""

import os
import signal
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from convo_gateway.stack.errors import StackError, tail
from convo_gateway.stack.home import DATABASE, Home, Lock, write_atomically
from convo_gateway.stack.nats_server import NATS, nats_part, write_authorization
from convo_gateway.stack.plan import DEFAULT_PORT, GATEWAY, LOCAL_MODEL, Plan, service_part
from convo_gateway.stack.ports import Ports, holder_of, is_free
from convo_gateway.stack.postgres import (
    POSTGRES,
    Address,
    make_cluster,
    make_database,
    postgres_part,
)
from convo_gateway.stack.processes import launch
from convo_gateway.stack.supervisor import Supervisor

__all__ = ["Stack"]

MONITOR = "nats-monitor"


class Stack:
    """A stack in a data folder, up inside `async with`.

    Args:
        home: data folder.
        plan: what to run.
        environ: environment of the caller. `CONVO_NATS_URL` and `CONVO_DATABASE_URL` in it name
            servers that run already; without them the stack brings its own.
        report: called with one line for each thing that a person wants to know.
    """

    def __init__(
        self,
        home: Path,
        plan: Plan | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.home = Home(home.expanduser().absolute())
        self.plan = plan or Plan()
        self._environ = dict(os.environ if environ is None else environ)
        self._report = report
        self._lock = Lock(self.home)
        self._ports = Ports({})
        self._supervisor: Supervisor | None = None
        self._up = False

    async def __aenter__(self) -> Self:
        """Start everything; on the way out of a failed start everything is stopped again."""
        self.home.prepare()
        self._lock.take()
        try:
            await self._start()
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop everything."""
        await self.stop()

    @property
    def gateway_url(self) -> str:
        """Address of the web pages and of the REST API."""
        return f"http://127.0.0.1:{self._ports.port(GATEWAY)}"

    @property
    def nats_url(self) -> str:
        """Address of NATS, without a user."""
        given = self._environ.get("CONVO_NATS_URL")
        return given or f"nats://127.0.0.1:{self._ports.port(NATS)}"

    @property
    def monitor_url(self) -> str:
        """Address of NATS's monitoring; empty for a server that runs elsewhere without one."""
        if "CONVO_NATS_URL" in self._environ:
            return self._environ.get("CONVO_NATS_MONITOR_URL", "")
        return f"http://127.0.0.1:{self._ports.port(MONITOR)}"

    @property
    def database_url(self) -> str:
        """Address of the database, without a password."""
        return self._environ.get("CONVO_DATABASE_URL") or self.address.url()

    @property
    def address(self) -> Address:
        """Where the embedded Postgres listens."""
        return Address.below(self.home, self._ports.port(POSTGRES))

    def env(self, service: str) -> dict[str, str]:
        """Variables through which a process acting as the service (or `migrator`) finds the rest.

        Without port, instance and incarnation, which belong to one process.
        """
        found = {
            "CONVO_NATS_URL": self.nats_url,
            "CONVO_NATS_USER": service,
            "CONVO_NATS_PASSWORD_FILE": str(self.home.password_file(service)),
            "CONVO_NATS_MONITOR_URL": self.monitor_url,
            "CONVO_DATABASE_URL": self.database_url,
            "CONVO_LOG_FORMAT": "json",
            "CONVO_HOME": str(self.home.root),
        }
        if service == GATEWAY:
            folder = self._environ.get("CONVO_EXPORTS_FOLDER") or str(self.home.export_files)
            found["CONVO_EXPORTS_FOLDER"] = folder
        if self.plan.local_model:
            port = self._ports.port(LOCAL_MODEL)
            found["CONVO_LOCAL_MODEL_URL"] = f"http://127.0.0.1:{port}/v1"
        if "CONVO_DATABASE_URL" not in self._environ:
            found["CONVO_DATABASE_PASSWORD_FILE"] = str(self.home.password_file(DATABASE))
        elif file := self._environ.get("CONVO_DATABASE_PASSWORD_FILE"):
            found["CONVO_DATABASE_PASSWORD_FILE"] = file
        return found

    def pids(self) -> dict[str, int]:
        """Process id by instance name, in the order of their start."""
        return self._supervisor.pids() if self._supervisor else {}

    def kill(self, instance: str, number: int) -> None:
        """Send a signal to an instance; the supervisor starts it again if it dies of it."""
        self._running().kill(instance, number)

    async def restart(self, instance: str, number: int) -> None:
        """End an instance by a signal and wait until its successor is ready."""
        await self._running().restart(instance, number)

    async def restart_nats(self) -> None:
        """Kill the embedded NATS server and wait until its successor is ready."""
        await self.restart(NATS, signal.SIGKILL)

    async def failed(self) -> StackError:
        """Wait until a part was given up; what happened."""
        return await self._running().failure()

    def hurry(self) -> None:
        """Let `stop` wait for nothing more."""
        if self._supervisor:
            self._supervisor.hurry()

    async def stop(self) -> None:
        """Stop everything, the servers last; without effect if nothing runs."""
        self.home.stack_file.unlink(missing_ok=True)
        if self._supervisor:
            self._up = False
            for group in (*self.plan.stop_order(), [POSTGRES], [NATS]):
                await self._supervisor.stop(group)
            self._supervisor = None
        self._lock.release()

    async def _start(self) -> None:
        home = self.home
        home.stack_file.unlink(missing_ok=True)
        self._ports = Ports(home.read_numbers(home.ports_file))
        if GATEWAY in self.plan.services:
            self._choose_gateway_port()
        self._supervisor = supervisor = Supervisor(
            home.read_numbers(home.incarnations_file),
            random=Random(),
            changed=self._remember,
            report=self._report,
        )
        await self._start_servers(supervisor)
        if self.plan.services:
            await self._migrate()
        await self._start_services(supervisor)
        write_atomically(home.ports_file, self._ports.taken)
        self._up = True
        self._remember()

    def _choose_gateway_port(self) -> None:
        """Settle the port of the gateway before anything is started."""
        wanted = self.plan.port or DEFAULT_PORT
        if not is_free(wanted) and self.plan.port is not None:
            raise StackError(
                f"Port {wanted} is taken by {holder_of(wanted)}.",
                advice="Choose another with --port N, or leave --port out for any free one.",
                exit_code=2,
            )
        port = self._ports.port(GATEWAY, wanted)
        if port != wanted:
            self._report(f"port {wanted} is taken by {holder_of(wanted)}: using {port}")

    async def _start_servers(self, supervisor: Supervisor) -> None:
        """Start the servers that are not given, both at the same time."""
        started = []
        if "CONVO_NATS_URL" in self._environ:
            write_authorization(self.home)
        else:
            ports = (self._ports.port(NATS), self._ports.port(MONITOR))
            supervisor.start(nats_part(self.home, *ports))
            started.append(NATS)
        if "CONVO_DATABASE_URL" not in self._environ:
            await make_cluster(self.home, self.address)
            supervisor.start(postgres_part(self.home, self.address))
            started.append(POSTGRES)
        for name in started:
            await supervisor.wait_ready(name)
            self._report(f"{name} is up")
        if POSTGRES in started:
            await make_database(self.address, self.home.password(DATABASE), "convo")

    async def _migrate(self) -> None:
        """Bring streams and tables up to date.

        Raises:
            StackError: the migrator refuses; its words are in the error.
        """
        log = self.home.log("migrate")
        before = log.stat().st_size if log.exists() else 0
        child = await launch(
            self.plan.command("migrate", "convo_events.migrate"),
            environ={**self._environ, **self.env("migrator"), "CONVO_INSTANCE": "migrator"},
            log=log,
        )
        code = await child.wait()
        if code != 0:
            said = tail(log) if log.stat().st_size > before else ()
            raise StackError(
                f"Streams and tables could not be brought up to date (exit code {code}).",
                log=said,
                advice=f"The whole log is {log}; convo doctor looks for common causes.",
            )
        self._report("streams and tables are up to date")

    async def _start_services(self, supervisor: Supervisor) -> None:
        """Start every service process, then wait until all are ready."""
        instances = self.plan.instances()
        for service, instance in instances:
            supervisor.start(
                service_part(
                    self.plan,
                    service,
                    instance,
                    self._ports.port(instance),
                    {**self._environ, **self._service_env(service)},
                    self.home.log(instance),
                )
            )
        for _, instance in instances:
            await supervisor.wait_ready(instance)
            self._report(f"{instance} is up")

    def _service_env(self, service: str) -> dict[str, str]:
        # The local model talks to nobody, so it gets no way to log in anywhere.
        return {} if service == LOCAL_MODEL else self.env(service)

    def _remember(self) -> None:
        """Write down what runs: for the next start, and once all is up for everybody."""
        try:
            write_atomically(self.home.incarnations_file, self._running().incarnations)
            if self._up:
                write_atomically(self.home.stack_file, self._facts())
        except OSError as error:
            self._report(f"the data folder cannot be written: {error}")

    def _facts(self) -> dict[str, object]:
        return {
            "pid": os.getpid(),
            "started_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "gateway_url": self.gateway_url if GATEWAY in self.plan.services else None,
            "nats_url": self.nats_url,
            "monitor_url": self.monitor_url,
            "database_url": self.database_url,
            "ports": self._ports.taken,
            "pids": self.pids(),
        }

    def _running(self) -> Supervisor:
        if self._supervisor is None:
            raise StackError("The stack is not up.")
        return self._supervisor
