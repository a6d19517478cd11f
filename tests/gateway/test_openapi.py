"""The committed description of the API is the one that is served."""

from importlib import resources
from typing import Any

import orjson
import pytest
from fastapi import FastAPI

from convo_gateway.app import make_app
from convo_gateway.gateway import make_gateway
from convo_gateway.gateway_settings import GatewaySettings
from convo_gateway.openapi import FILE, written


@pytest.fixture(scope="module")
def app() -> FastAPI:
    settings = GatewaySettings.from_env(
        {"CONVO_NATS_URL": "nats://nowhere", "CONVO_DATABASE_URL": "postgresql://nowhere"}
    )
    return make_app(make_gateway(settings, "9.9.9"))


def operations(app: FastAPI) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in app.openapi()["paths"].items()
        for method, operation in methods.items()
    ]


def test_committed_description_is_up_to_date(app: FastAPI) -> None:
    committed = (resources.files("convo_gateway.schema") / FILE).read_bytes()
    assert committed == written(app), "run: python -m convo_gateway.openapi"


def test_operations_are_named_once(app: FastAPI) -> None:
    names = [operation["operationId"] for _, _, operation in operations(app)]
    assert len(set(names)) == len(names)
    assert {"start_run", "cancel_run", "update_run_config", "list_persona_versions"} <= set(names)


def test_every_error_is_a_problem(app: FastAPI) -> None:
    for path, _, operation in operations(app):
        for status, response in operation["responses"].items():
            if path.startswith("/api/") and int(status) >= 400:
                assert list(response["content"]) == ["application/problem+json"], (path, status)


def test_every_reference_leads_somewhere(app: FastAPI) -> None:
    document = app.openapi()
    text = orjson.dumps(document).decode()
    schemas = document["components"]["schemas"]
    named = {part.split('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert named <= set(schemas)
    assert "HTTPValidationError" not in schemas


def test_bodies_have_examples(app: FastAPI) -> None:
    schemas = app.openapi()["components"]["schemas"]
    for name in ("Start", "Wanted", "Cancel", "Export"):
        assert schemas[name]["examples"], name
