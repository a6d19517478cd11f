"""Where the gateway is: what the caller says, else what runs in the data folder, else the default."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.stack.home import Home
from convo_gateway.stack.plan import DEFAULT_PORT

__all__ = ["VARIABLE", "find_gateway"]

VARIABLE = "CONVO_GATEWAY_URL"


def find_gateway(given: str | None, home: Path, environ: Mapping[str, str]) -> str:
    """Address of the gateway, without a slash at the end.

    The option goes before ``CONVO_GATEWAY_URL``, which goes before the stack that runs in the data folder, which goes
    before the default port of this machine.

    Raises:
        CommandError: the address that was given is none.
    """
    for source, url in (("--gateway", given), (VARIABLE, environ.get(VARIABLE))):
        if url:
            return _checked(url, source)
    running = Home(home.expanduser().absolute()).read_stack().get("gateway_url")
    return str(running).rstrip("/") if running else f"http://127.0.0.1:{DEFAULT_PORT}"


def _checked(url: str, source: str) -> str:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise CommandError(
            f"{source} is no address: {url!r}",
            Exit.USAGE,
            advice=f"Write it like http://127.0.0.1:{DEFAULT_PORT}",
        )
    return url.rstrip("/")
