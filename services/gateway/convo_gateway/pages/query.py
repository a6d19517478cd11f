"""Query parameters: only those that a route knows, and the ones that every list has."""

from typing import Annotated

from fastapi import Query, Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.routing import APIRoute

from convo_gateway.problems import HttpProblem, ProblemError

Limit = Annotated[int, Query(ge=1, le=1_000, description="Most items of a page.")]
Cursor = Annotated[
    str | None, Query(max_length=1_000, description="``next_cursor`` of the page before.")
]


def only_known(request: Request) -> None:
    """Refuse parameters that the route does not have: a misspelt filter must not show everything.

    Raises:
        HttpProblem: 422 that names each of them.
    """
    route = request.scope.get("route")
    if not isinstance(route, APIRoute):
        return
    known = {field.alias for field in get_flat_params(route.dependant)}
    unknown = sorted(set(request.query_params) - known)
    if unknown:
        expected = f"known are {', '.join(sorted(known))}" if known else "this path has none"
        errors = [
            ProblemError(
                detail=f"unknown parameter; {expected}", pointer=f"/{name[:100]}", source="query"
            )
            for name in unknown
        ]
        names = ", ".join(name[:100] for name in unknown[:5])
        raise HttpProblem(422, f"Unknown query parameter: {names}.", errors=errors)
