"""What the gateway is told from outside, beside what every service is told."""

from typing import Literal

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

    def hosts(self) -> frozenset[str]:
        """Every name that a ``Host`` header may carry, lower case, without or with its port."""
        named = {name.strip().lower() for name in self.allowed_hosts.split(",")}
        return frozenset(named - {""}) | LOOPBACK
