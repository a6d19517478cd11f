"""What the gateway is told from outside, beside what every service is told."""

from convo_events.settings import Settings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class GatewaySettings(Settings):
    """Settings of the gateway. Each field is read from ``CONVO_<FIELD>``."""

    gateway_host: str = "127.0.0.1"
    """Where the gateway listens."""
    allowed_hosts: str = ""
    """Comma-separated host names (``name`` or ``name:port``) that browsers may use beside loopback; ``*`` for any."""

    def hosts(self) -> frozenset[str]:
        """Every name that a ``Host`` header may carry, lower case, without or with its port."""
        named = {name.strip().lower() for name in self.allowed_hosts.split(",")}
        return frozenset(named - {""}) | LOOPBACK
