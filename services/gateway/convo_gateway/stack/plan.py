"""Which processes a stack runs, and how each service process is started and asked."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from convo_gateway.stack.probe import answers
from convo_gateway.stack.supervisor import Part

__all__ = [
    "DEFAULT_PORT",
    "GATEWAY",
    "LOCAL_MODEL",
    "SERVICES",
    "WORKERS",
    "Plan",
    "service_part",
]

GATEWAY = "gateway"
LOCAL_MODEL = "local-model"
DEFAULT_PORT = 8420
WORKERS = ("filters", "generator", "judge")
SERVICES = ("projector", *WORKERS, "scheduler", GATEWAY)
"""In the order of their start; they stop the other way round."""
PAID = ("generator", "judge")
"""Services that finish the calls they have paid for before they stop."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run.

    Attributes:
        services: services to start; none of them for NATS and Postgres alone.
        workers: processes of each worker service; one of each that is not named.
        port: port of the gateway; None for the default, or a free one if that is taken.
        local_model: weights of the local model; None to run without it.
        grace_s: how long a paid call may take to end when the stack stops.
        commands: another command for a service, or for `migrate`.
    """

    services: tuple[str, ...] = SERVICES
    workers: Mapping[str, int] = field(default_factory=dict)
    port: int | None = None
    local_model: Path | None = None
    grace_s: float = 150.0
    commands: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def instances(self) -> list[tuple[str, str]]:
        """Service and instance name of every process, in the order of their start."""
        found = [(LOCAL_MODEL, LOCAL_MODEL)] if self.local_model else []
        for service in SERVICES:
            if service in WORKERS and service in self.services:
                count = self.workers.get(service, 1)
                found += [(service, f"{service}-{number}") for number in range(1, count + 1)]
            elif service in self.services:
                found.append((service, service))
        return found

    def stop_order(self) -> list[list[str]]:
        """Instances in the order of their stop; those of one list stop together."""
        by_service: dict[str, list[str]] = {}
        for service, instance in self.instances():
            group = "workers" if service in WORKERS else service
            by_service.setdefault(group, []).append(instance)
        return list(reversed(by_service.values()))

    def command(self, name: str, module: str) -> tuple[str, ...]:
        """Command of a service, or of `migrate`."""
        return tuple(self.commands.get(name, (sys.executable, "-m", module)))


def service_part(
    plan: Plan, service: str, instance: str, port: int, environ: Mapping[str, str], log: Path
) -> Part:
    """One process of a service, with its own port.

    Args:
        plan: the plan that the process is part of.
        service: name of the service, or `local-model`.
        instance: name of its slot.
        port: its loopback port.
        environ: environment of the service, without what belongs to one process.
        log: file for its output.
    """
    local = service == LOCAL_MODEL
    url = f"http://127.0.0.1:{port}"

    async def ready() -> bool:
        return await answers(f"{url}/readyz") or (local and await answers(f"{url}/health"))

    async def alive() -> bool:
        return await answers(f"{url}/healthz") or (local and await answers(f"{url}/health"))

    own = {"CONVO_INSTANCE": instance, "CONVO_SERVICE_PORT": str(port)}
    if local:
        own |= {
            "CONVO_LOCAL_MODEL_PORT": str(port),
            "CONVO_LOCAL_MODEL_PATH": str(plan.local_model),
        }
    elif service == GATEWAY:
        own["CONVO_GATEWAY_PORT"] = str(port)
    module = "convo_models.local_model" if local else f"convo_{service}"
    return Part(
        name=instance,
        command=plan.command(service, module),
        environ={**environ, **own},
        log=log,
        ready=ready,
        alive=alive,
        ready_within_s=300.0,
        grace_s=plan.grace_s if service in PAID else 20.0,
    )
