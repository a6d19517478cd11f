"""How the API describes itself: its errors as they are, its kinds, its licence."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from convo_events.catalog import KINDS
from convo_gateway.problems import MEDIA_TYPE, ProblemDocument

_DEFAULT_ERRORS = ("HTTPValidationError", "ValidationError")
_PROBLEMS = {
    "400": "The request is malformed.",
    "404": "There is no such thing.",
    "405": "This method is not for this path.",
    "422": "The request says something that cannot be.",
    "503": "A part of convo is away; Retry-After says when to ask again.",
}
_MORE_PROBLEMS = {
    "post": {
        "409": "The present state does not allow this, or it has to be confirmed.",
        "413": "The body is too large.",
        "415": "The body has another type than this path takes.",
    },
    "patch": {
        "409": "The present state does not allow this.",
        "413": "The body is too large.",
        "415": "The body has another type than this path takes.",
    },
    "put": {
        "412": "Somebody else was faster.",
        "413": "The body is too large.",
        "415": "The body has another type than this path takes.",
        "428": "If-Match is needed.",
    },
}
_TAGS = [
    {
        "name": "runs",
        "description": "Executions of a frozen config: start, watch, steer, read, export.",
    },
    {"name": "samples", "description": "One conversation of a plan, made for a stated price."},
    {"name": "conversations", "description": "What runs made, with verdicts and costs."},
    *({"name": kind, "description": f"Catalog: {kind}, in versions."} for kind in KINDS),
    {"name": "catalog", "description": "Catalog: files in and out, schemas, prices."},
    {"name": "service", "description": "Health, version, metrics."},
]
_DESCRIPTION = (
    "Conversations made with language models, with the proof of how. Lists have opaque cursors, objects have ETags, "
    "errors are RFC 9457 problems, money is in micro-dollars, and unknown is null and never 0. What changes while a "
    "run goes is pushed over the websocket `/api/v1/live`."
)


def describe(app: FastAPI) -> None:
    """Make the application describe its errors as they are."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the documented way to extend it


def _described(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary="API of convo",
        description=_DESCRIPTION,
        routes=app.routes,
        tags=_TAGS,
        servers=[{"url": "/", "description": "This gateway"}],
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for name in _DEFAULT_ERRORS:
        schemas.pop(name, None)
    problem = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= problem.pop("$defs", {})
    schemas["ProblemDocument"] = problem
    document["security"] = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if path.startswith("/api/"):
                _add_problems(method, operation)
    return document


def _add_problems(method: str, operation: dict[str, Any]) -> None:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
    for status, text in (_PROBLEMS | _MORE_PROBLEMS.get(method, {})).items():
        said = operation["responses"].get(status, {}).get("description", text)
        if status == "422":
            said = text
        operation["responses"][status] = {"description": said, "content": content}
