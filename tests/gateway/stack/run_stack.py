"""A supervisor process for tests, with fake services: `run_stack.py HOME`."""

import asyncio
import sys
from pathlib import Path

from convo_gateway.cli.up import serve
from convo_gateway.stack.plan import SERVICES, Plan
from convo_gateway.stack.stack import Stack

FAKE = (sys.executable, str(Path(__file__).with_name("fake_service.py")))


def fake_plan(**changes: object) -> Plan:
    commands = {service: FAKE for service in SERVICES} | {"migrate": (sys.executable, "-c", "")}
    return Plan(**{"commands": commands, "workers": {"generator": 2}, **changes})  # type: ignore[arg-type]


if __name__ == "__main__":
    home = Path(sys.argv[1])
    asyncio.run(serve(Stack(home, fake_plan(), environ={}, report=print), print))
