"""`convo conversation list`: conversations of all runs, narrowed, searched and sorted as the page Corpus does it."""

import re
from collections.abc import Mapping
from typing import Annotated

import typer

from convo_gateway.cli.client import Asked, Document, Gateway, read_as
from convo_gateway.cli.exits import CommandError, Exit
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.render import DASH, number, print_document, print_table, say, usd
from convo_gateway.shapes.conversations import ConversationPage, ConversationSummary
from convo_gateway.shapes.facets import Facets
from convo_gateway.shapes.views import SavedView, SavedViews
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["list_conversations"]

_COLUMNS = ("Id", "Verdict", "Reason", "Review", "Persona", "Turns", "Score", "Cost", "Begins")
_NUMBERS = ("Turns", "Score", "Cost")
_RANGE = re.compile(r"(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?")
_BEGINS = 48
"""Characters of the first turn that are shown."""
Several = list[str] | None


def list_conversations(
    run: Annotated[Several, typer.Option(help="Only of this run; may be repeated.")] = None,
    config: Annotated[Several, typer.Option(help="Only of runs of this config.")] = None,
    status: Annotated[
        Several, typer.Option(help="accepted, rejected, failed, open or cancelled.")
    ] = None,
    reason: Annotated[Several, typer.Option(help="Only with this recorded reason.")] = None,
    layer: Annotated[
        Several, typer.Option(help="Only with a reason of this layer: 0 to 3.")
    ] = None,
    persona: Annotated[Several, typer.Option(help="Only of this persona.")] = None,
    voice: Annotated[Several, typer.Option(help="Only of this voice.")] = None,
    mode: Annotated[Several, typer.Option(help="Only of configs of this mode.")] = None,
    language: Annotated[Several, typer.Option(help="Only of configs of this language.")] = None,
    review: Annotated[
        Several, typer.Option(help="Latest decision: accepted, rejected, flagged or none.")
    ] = None,
    edited: Annotated[
        bool | None, typer.Option("--edited/--not-edited", help="Whether a person changed a turn.")
    ] = None,
    turns: Annotated[str | None, typer.Option(metavar="A..B", help="Number of turns.")] = None,
    score: Annotated[str | None, typer.Option(metavar="A..B", help="The judge's score.")] = None,
    cost: Annotated[str | None, typer.Option(metavar="A..B", help="Known cost in USD.")] = None,
    text: Annotated[
        str | None, typer.Option("-q", "--text", help='Words of the turns, or "a phrase".')
    ] = None,
    view: Annotated[str | None, typer.Option(help="A saved view; other options narrow it.")] = None,
    sort: Annotated[
        str | None,
        typer.Option(help="created, score, cost, turns or words; with - the highest first."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most conversations to show.")] = 50,
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """List conversations of all runs, newest first."""
    wanted: dict[str, Asked] = {
        "run": run,
        "config": config,
        "status": status,
        "reason": reason,
        "layer": layer,
        "persona": persona,
        "voice": voice,
        "mode": mode,
        "language": language,
        "review": review,
        "edited": None if edited is None else str(edited).lower(),
        "text": text,
        **_ends("turns", turns),
        **_ends("score", score),
        **_ends("cost", cost),
    }
    given = {name: value for name, value in wanted.items() if value not in (None, [])}

    async def read(api: Gateway) -> tuple[Document, Document]:
        saved = await _view(api, view) if view else None
        query = (_query(saved) if saved else {}) | given
        order = sort or (saved.sort if saved else "-created")
        found = await api.get("conversations", sort=order, limit=limit, **query)
        return found, await api.get("conversations/facets", **query)

    document, counted = with_gateway(gateway, home, read)
    if as_json:
        print_document(document)
        return
    page = read_as(ConversationPage, document)
    print_table(_COLUMNS, [_row(item) for item in page.items], numbers=_NUMBERS)
    numbers = read_as(Facets, counted)
    least = "" if numbers.exact else "at least "
    say(f"{len(page.items)} shown of {least}{numbers.total:,} that match, of {numbers.of:,}.")


async def _view(api: Gateway, name: str) -> SavedView:
    """The saved view with a name or an id."""
    views = read_as(SavedViews, await api.get("views")).items
    for found in views:
        if name in (found.name, found.id):
            return found
    known = ", ".join(found.name for found in views) or "none is saved"
    raise CommandError(f"There is no saved view {name}; there are: {known}.", Exit.NOT_FOUND)


def _query(view: SavedView) -> dict[str, Asked]:
    asked: dict[str, Asked] = {}
    for name, value in view.filter.model_dump(mode="json", exclude_defaults=True).items():
        if isinstance(value, list):
            asked[name] = [str(item) for item in value]
        else:
            asked[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return asked


def _ends(name: str, text: str | None) -> Mapping[str, Asked]:
    """The query of a range such as ``2..8``, ``4..`` or ``..0.5``."""
    if text is None:
        return {}
    found = _RANGE.fullmatch(text.strip())
    if found is None or not any(found.groups()):
        raise CommandError(f"--{name} {text} is no range; write it as 2..8, 4.. or ..8", Exit.USAGE)
    return {f"{name}_from": found[1], f"{name}_to": found[2]}


def _row(item: ConversationSummary) -> list[str]:
    unknown = item.unknown_calls > 0
    return [
        item.id,
        item.status,
        item.reason or DASH,
        (item.review or DASH) + (", edited" if item.edited else ""),
        item.persona,
        number(item.turns),
        DASH if item.score is None else f"{item.score:.2f}",
        usd(None if unknown and not item.cost_micro else item.cost_micro)
        + (" + ?" if unknown else ""),
        item.preview[:_BEGINS],
    ]
