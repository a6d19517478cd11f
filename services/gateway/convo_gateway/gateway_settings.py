"""What the gateway is told from outside, beside what every service is told."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from convo_events.settings import Settings

UiTheme = Literal["light", "dark", "system"]
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class GatewaySettings(Settings):
    """Settings of the gateway. Each field is read from ``CONVO_<FIELD>``."""

    gateway_host: str = "127.0.0.1"
    """Where the gateway listens."""
    allowed_hosts: str = ""
    """Comma-separated host names (``name`` or ``name:port``) that browsers may use beside loopback; ``*`` for any."""
    ui_theme: UiTheme = "system"
    """Theme of the pages for people who have not chosen one; ``system`` follows their device."""

    exports_folder: Path = Path(".convo/export-files")
    """Where the files of exports lie; several gateways share one. ``convo up`` puts it into the data folder."""
    exports_max_bytes: Annotated[int, Field(ge=1)] = 20_000_000_000
    """Most bytes that all exports together take on disk; one that would need more fails."""
    exports_kept_days: Annotated[float, Field(gt=0, le=36_500)] = 7
    """How long the files of an export are kept after it is done."""

    def hosts(self) -> frozenset[str]:
        """Every name that a ``Host`` header may carry, lower case, without or with its port."""
        named = {name.strip().lower() for name in self.allowed_hosts.split(",")}
        return frozenset(named - {""}) | LOOPBACK
