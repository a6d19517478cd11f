"""The filter of conversations as query parameters."""

from typing import Annotated

from fastapi import Depends, Query
from pydantic import StringConstraints

from convo_gateway.shapes.conversation_filter import (
    ConversationFilter,
    ConversationSort,
    Layer,
    Name,
    NotNegative,
    ReviewState,
    Score,
    Usd,
)
from convo_gateway.shapes.conversations import ConversationStatus

_MOST = 200
"""Values of one field."""
Names = Annotated[list[Name] | None, Query(max_length=_MOST)]
Text = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00]*$")]


def _wanted(
    run: Annotated[
        list[Name] | None,
        Query(max_length=_MOST, description="Only of these runs; samples are shown only so."),
    ] = None,
    config: Names = None,
    status: Annotated[list[ConversationStatus] | None, Query(max_length=_MOST)] = None,
    reason: Names = None,
    layer: Annotated[list[Layer] | None, Query(max_length=_MOST)] = None,
    persona: Names = None,
    voice: Names = None,
    mode: Names = None,
    language: Annotated[
        list[Name] | None,
        Query(max_length=_MOST, description="Of the config; ``none`` where it is not known."),
    ] = None,
    review: Annotated[
        list[ReviewState] | None,
        Query(max_length=_MOST, description="Latest decision of a person."),
    ] = None,
    edited: Annotated[bool | None, Query(description="Whether a person changed a turn.")] = None,
    turns_from: NotNegative | None = None,
    turns_to: NotNegative | None = None,
    score_from: Score | None = None,
    score_to: Score | None = None,
    cost_from: Annotated[Usd | None, Query(description="Known cost in US dollars.")] = None,
    cost_to: Annotated[Usd | None, Query(description="Known cost in US dollars.")] = None,
    text: Annotated[
        Text,
        Query(
            description="Words of the turns, in any script; in double quotes, one after the other."
        ),
    ] = "",
) -> ConversationFilter:
    return ConversationFilter(
        run=tuple(run or ()),
        config=tuple(config or ()),
        status=tuple(status or ()),
        reason=tuple(reason or ()),
        layer=tuple(layer or ()),
        persona=tuple(persona or ()),
        voice=tuple(voice or ()),
        mode=tuple(mode or ()),
        language=tuple(language or ()),
        review=tuple(review or ()),
        edited=edited,
        turns_from=turns_from,
        turns_to=turns_to,
        score_from=score_from,
        score_to=score_to,
        cost_from=cost_from,
        cost_to=cost_to,
        text=text,
    )


Wanted = Annotated[ConversationFilter, Depends(_wanted)]
"""The filter of a request: every parameter is optional, those that list values may be given more than once."""
Sort = Annotated[
    ConversationSort,
    Query(description="``-`` for the highest or newest first; what has no such number comes last."),
]
