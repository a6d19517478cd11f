"""The description of the API: ``python -m convo_gateway.openapi`` writes it where it is committed."""

import sys
from importlib import resources
from importlib.metadata import version
from pathlib import Path

import orjson
from fastapi import FastAPI

from convo_gateway.app import make_app
from convo_gateway.gateway import make_gateway
from convo_gateway.gateway_settings import GatewaySettings

FILE = "openapi.json"


def written(app: FastAPI) -> bytes:
    """The description as it is committed, without the version that changes with every release."""
    document = app.openapi()
    document = document | {"info": document["info"] | {"version": "1"}}
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(document, option=options)


def main() -> int:
    """Write the file; exit code 0."""
    settings = GatewaySettings.from_env(
        {"CONVO_NATS_URL": "nats://localhost", "CONVO_DATABASE_URL": "postgresql://localhost"}
    )
    app = make_app(make_gateway(settings, version("convo")))
    with resources.as_file(resources.files("convo_gateway.schema")) as folder:
        file = Path(folder) / FILE
        file.write_bytes(written(app))
    sys.stderr.write(f"openapi: {file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
