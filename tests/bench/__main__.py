"""``python -m tests.bench``: measure on this machine and print a table, or JSON with ``--json``.

Other work on the machine shows in every figure; compare only figures of one run.
"""

import argparse
import asyncio
import os
import sys
from typing import Any

import orjson

from tests.bench.measure import Result, run_case, warm_up
from tests.bench.report import document, table
from tests.bench.workload import Case
from tests.fake_provider.client import FakeProvider
from tests.journeys.pipeline import pipeline

LATENCY_S = 0.2
FULL = {64: 6_400, 256: 10_240}
"""Calls in flight to conversations."""


def cases(arguments: argparse.Namespace) -> list[Case]:
    """What to measure."""
    sizes = FULL if arguments.full else {flight: 10 * flight for flight in FULL}
    every = [Case("zero-latency", arguments.n, 64, 0.0)]
    every += [Case(f"latency-{flight}", n, flight, LATENCY_S) for flight, n in sizes.items()]
    return [case for case in every if not arguments.only or case.name in arguments.only]


async def measure(arguments: argparse.Namespace) -> tuple[list[Result], dict[str, Any]]:
    """Start a stack and measure every case on it."""
    load_before = os.getloadavg()[0]
    workers = {service: arguments.workers for service in ("generator", "judge", "filters")}
    environ = {"CONVO_SLOTS": str(arguments.slots)} if arguments.slots else {}
    with FakeProvider.start() as provider:
        async with pipeline(provider, workers=workers, environ=environ) as stack:
            templates = await warm_up(stack)
            results = []
            for case in cases(arguments):
                sys.stderr.write(f"measuring {case.name} ...\n")
                results.append(await run_case(stack, case, templates))
    machine = {
        "cores": os.cpu_count(),
        "load_before": load_before,
        "load_after": os.getloadavg()[0],
        "python": sys.version.split()[0],
        "workers": arguments.workers,
    }
    return results, machine


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    made.add_argument("--full", action="store_true", help="6,400 and 10,240 with latency")
    made.add_argument("--json", action="store_true", help="JSON on standard output, no table")
    made.add_argument("--n", type=int, default=1_000, help="conversations without latency")
    made.add_argument("--workers", type=int, default=1, help="processes of each worker service")
    made.add_argument("--slots", type=int, default=None, help="steps that a worker holds at once")
    made.add_argument(
        "--only",
        action="append",
        choices=["zero-latency", "latency-64", "latency-256"],
        help="measure this case alone; may be repeated",
    )
    return made


def main() -> int:
    """Measure and print; exit code 0."""
    arguments = parser().parse_args()
    results, machine = asyncio.run(measure(arguments))
    if arguments.json:
        sys.stdout.buffer.write(
            orjson.dumps(document(results, machine), option=orjson.OPT_INDENT_2) + b"\n"
        )
    else:
        sys.stdout.write(table(results, machine) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
