"""One measured run of the stack, and the same calls by the floor."""

import asyncio
import sys
import time
from dataclasses import dataclass
from typing import Any

import orjson

from tests.bench import floor
from tests.bench.processes import cpu_seconds, peak_mib
from tests.bench.workload import CALLS, Case, frozen
from tests.fake_provider.client import AsyncFakeProvider, FakeProvider
from tests.journeys.pipeline import Pipeline

WARM_UP = Case("warm-up", conversations=128, in_flight=32, latency_s=0.0)


@dataclass(frozen=True, slots=True)
class Result:
    """What one case came to; times in seconds, CPU by service and peaks by service in MiB."""

    case: Case
    wall_s: float
    """From the answer to the start command to ``run.completed``."""
    calls: int
    most_in_flight: int
    counts: dict[str, int]
    cpu_s: dict[str, float]
    peak_mib: dict[str, float]
    provider_cpu_s: float
    floor: floor.Measured

    @property
    def efficiency(self) -> float | None:
        """Ideal time over real time; None without latency, where there is no ideal.

        A conversation that the filters reject has no third call, so the ideal is counted over the calls made.
        """
        made = self.calls / (CALLS * self.case.conversations)
        return made * self.case.ideal_s / self.wall_s if self.case.latency_s else None

    @property
    def floor_efficiency(self) -> float | None:
        """The same for the floor."""
        return self.case.ideal_s / self.floor["wall_s"] if self.case.latency_s else None


async def warm_up(stack: Pipeline) -> list[dict[str, Any]]:
    """Run a little; the recorded bodies of one conversation, in the order of its calls."""
    provider = AsyncFakeProvider(stack.provider)
    await provider.program(keep_bodies=CALLS * WARM_UP.conversations)
    await stack.start("run-warm-up", frozen(WARM_UP))
    await stack.ended("run-warm-up")
    bodies = [orjson.loads(body) for body in stack.provider.bodies().values()]
    by_role = {_role(body): body for body in bodies}
    return [by_role["user"], by_role["assistant"], by_role["judge"]]


def _role(body: dict[str, Any]) -> str:
    if "response_format" in body:
        return "judge"
    segments = frozen(WARM_UP).prompt_set.segments
    is_assistant = body["messages"][0]["content"] == segments["assistant"]
    return "assistant" if is_assistant else "user"


async def run_case(stack: Pipeline, case: Case, templates: list[dict[str, Any]]) -> Result:
    """Measure the stack, then the floor."""
    provider = AsyncFakeProvider(stack.provider)
    await provider.program(latency=case.latency_s)
    await provider.reset(keep_program=True)
    run = f"run-{case.name}"
    pids = stack.stack.pids()
    own = {"provider": _pid(stack.provider)}
    before, provider_before = cpu_seconds(pids), cpu_seconds(own)
    await stack.start(run, frozen(case))
    answered = time.time()
    view = await _completed(stack, run)
    after, provider_after = cpu_seconds(pids), cpu_seconds(own)
    stats = await provider.stats()
    least = await _floor(stack.provider, case, templates)
    return Result(
        case=case,
        wall_s=view["ended_at"].timestamp() - answered,
        calls=stats.requests,
        most_in_flight=stats.max_in_flight,
        counts={name: view[name] for name in ("accepted", "rejected", "failed")},
        cpu_s={name: after[name] - before[name] for name in after},
        peak_mib=peak_mib(pids),
        provider_cpu_s=provider_after["provider"] - provider_before["provider"],
        floor=least,
    )


async def _completed(stack: Pipeline, run: str) -> dict[str, Any]:
    """The folded run at its end, looked for seldom: the looking is not to be measured."""
    while True:
        view = await stack.view(run)
        if view and view["ended_at"] is not None:
            if view["status"] != "completed":
                raise RuntimeError(f"{run} ended as {view['status']}: {view['detail']}")
            return view
        if view and view["status"] == "paused":
            raise RuntimeError(f"{run} was paused: {view['reason']} {view['detail']}")
        await asyncio.sleep(0.25)


async def _floor(
    provider: FakeProvider, case: Case, templates: list[dict[str, Any]]
) -> floor.Measured:
    orders = floor.Orders(
        url=f"{provider.base_url}/chat/completions",
        conversations=case.conversations,
        in_flight=case.in_flight,
        templates=templates,
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.bench.floor"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    answer, _ = await process.communicate(orjson.dumps(orders))
    if process.returncode:
        raise RuntimeError(f"the floor ended with code {process.returncode}")
    measured: floor.Measured = orjson.loads(answer)
    return measured


def _pid(provider: FakeProvider) -> int:
    if provider.process is None:
        raise RuntimeError("the provider was started elsewhere")
    return provider.process.pid
