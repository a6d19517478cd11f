"""`convo conversation`: list them, and read one with its verdict and its calls."""

from typing import Annotated

import typer

from convo_events.conversations import Hit
from convo_gateway.cli.client import read_as
from convo_gateway.cli.conversation_list import list_conversations
from convo_gateway.cli.judgements import print_judgements, tally_fields
from convo_gateway.cli.options import GatewayOption, HomeOption, JsonOption, with_gateway
from convo_gateway.cli.origin import origin_fields
from convo_gateway.cli.render import (
    number,
    print_document,
    print_fields,
    print_table,
    print_text,
    usd,
)
from convo_gateway.shapes.conversations import BookedCall, Conversation, StoredTurn
from convo_gateway.stack.home import DEFAULT_HOME

__all__ = ["app", "print_conversation"]

MOST_WORDS = 200
"""Characters of a passage."""
app = typer.Typer(help="Find and read conversations.", no_args_is_help=True)
app.command("list")(list_conversations)


@app.callback()
def conversation() -> None:
    """Find and read conversations."""


@app.command()
def show(
    conversation: Annotated[str, typer.Argument(metavar="ID", help="Id of the conversation.")],
    gateway: GatewayOption = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Show a conversation: its verdict and why, its turns, its calls."""
    document = with_gateway(gateway, home, lambda api: api.get(f"conversations/{conversation}"))
    if as_json:
        print_document(document)
        return
    print_conversation(read_as(Conversation, document))


def print_conversation(found: Conversation) -> None:
    """A conversation on standard output: its verdict and why, its turns, its calls."""
    print_text(f"Conversation {found.id}")
    print_fields(_fields(found))
    for turn in found.messages:
        print_text(f"\n{turn.role}{_roughened(turn)}:")
        print_text("\n".join(f"  {line}" for line in turn.text.split("\n")))
        if turn.raw is not None:
            print_text("\n".join(f"  as generated: {line}" for line in turn.raw.split("\n")))
    print_judgements(found.judgements)
    print_text("\nCalls")
    columns = ("Step", "Role", "Model", "State", "Tokens in", "Tokens out", "Cost")
    rows = [_call(call) for call in found.calls]
    print_table(columns, rows, numbers=("Step", "Tokens in", "Tokens out", "Cost"))


def _fields(found: Conversation) -> list[tuple[str, str]]:
    why = f": {found.reason} (layer {found.layer})" if found.reason else ""
    planned = f" of {number(found.planned_turns)} planned" if found.planned_turns else ""
    fields = [
        ("Status", f"{found.status}{why}"),
        ("Run", f"{found.run}, config {found.config} version {found.config_version}"),
        ("Thread, number", f"{found.thread}, {found.number}"),
        ("Persona, voice", f"{found.persona}, {found.voice}"),
        ("Turns", f"{number(found.turns)}{planned}"),
        *origin_fields(found.origin),
    ]
    if found.detail:
        fields.append(("Why", found.detail))
    if found.hit:
        fields += _evidence(found, found.hit)
    for hit in found.also:
        said = [text for _, text in _evidence(found, hit)] or [hit.detail]
        fields.append(("Also", f"{hit.reason} (layer {hit.layer}): {'; '.join(said)}"))
    if found.layer == 0:
        fields += [("Failed in", _failed(call)) for call in found.calls if _is_failed(call)]
    known = [call.cost_micro for call in found.calls if call.cost_micro is not None]
    fields.append(
        (
            "Cost",
            f"{usd(sum(known) if known or not found.calls else None)} in {len(found.calls)} calls",
        )
    )
    fields += _memories(found)
    if found.roughen_gave_up:
        fields.append(("Roughened", f"no: {found.roughen_gave_up}"))
    if found.score is not None:
        scores = ", ".join(f"{one.name} {one.score:g}" for one in found.criteria)
        fields.append(("Score", f"{found.score:.2f} ({scores})"))
    if found.tally is not None:
        fields += tally_fields(found.tally)
    fields += [("Judge's note", one.note) for one in found.judgements if one.note]
    return fields


def _evidence(found: Conversation, hit: Hit) -> list[tuple[str, str]]:
    """Which words fired a reason, or which neighbour and the words that both have."""
    fields = []
    if hit.neighbour is not None:
        near = "" if hit.similarity is None else f", similarity {hit.similarity:.3f}"
        page = f"; side by side: /corpus/{found.id}/alike?reason={hit.reason}"
        fields.append(("Too near to", f"{hit.neighbour}{near}{page}"))
    if hit.overlaps:
        texts = {turn.number: turn.text for turn in found.messages}
        for one in hit.overlaps:
            words = texts.get(one.turn, "")[one.start : one.end][:MOST_WORDS]
            fields.append(("In both", f"{words} (turn {one.turn}; there {one.other_turn})"))
    elif hit.excerpt:
        at = "" if hit.turn is None else f" in turn {hit.turn}"
        fields.append(("Found", f"{hit.excerpt}{at}"))
    return fields


def _is_failed(call: BookedCall) -> bool:
    return call.state not in ("finished", "deferred")


def _failed(call: BookedCall) -> str:
    who = f"{call.role}, {call.backend}/{call.model}"
    return f"step {call.step}, attempt {call.attempt}: {who}: {call.state}"


def _memories(found: Conversation) -> list[tuple[str, str]]:
    fields = []
    if found.memory_before:
        fields.append(("Remembered before", found.memory_before.text))
    if found.memory_after:
        fields.append(("Remembered after", found.memory_after.text))
    if found.memory_gave_up:
        fields.append(("Remembered after", f"as before: {found.memory_gave_up}"))
    return fields


def _roughened(turn: StoredTurn) -> str:
    if turn.raw is not None:
        return ", roughened"
    return f", not roughened ({turn.kept})" if turn.kept else ""


def _call(call: BookedCall) -> list[str]:
    tokens = call.tokens
    provider = call.provider_cost_micro
    told = "" if provider in (None, call.cost_micro) else f" (provider: {usd(provider)})"
    return [
        str(call.step),
        call.role,
        f"{call.backend}/{call.model}",
        call.state,
        number(tokens.input if tokens else None),
        number(tokens.output if tokens else None),
        usd(call.cost_micro) + told,
    ]
