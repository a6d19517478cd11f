"""Text that a person changed, as the filters see it before it is saved."""

from collections.abc import Sequence

import asyncpg
import nats.errors
from pydantic import ValidationError

from convo_events.conversations import Hit, Turn
from convo_events.errors import Invalid, Problem, Unavailable
from convo_events.reviews import Edit
from convo_events.second_look import Look, Looked
from convo_events.subjects import LOOK
from convo_gateway.connections import Connections

PATIENCE_S = 10.0
MOST_BYTES = 1_500_000
"""Of text in one question: a message of NATS holds 2 MB."""


def changed_turns(turns: Sequence[asyncpg.Record], edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits that change something, in the order of the turns.

    Raises:
        Invalid: where a turn does not exist or is named twice.
    """
    problems, kept = [], {}
    for number, edit in enumerate(edits):
        if edit.turn >= len(turns):
            message = f"there is no turn {edit.turn}; the last one is {len(turns) - 1}"
            problems.append(Problem(message, f"/edits/{number}/turn"))
        elif edit.turn in kept:
            problems.append(Problem(f"turn {edit.turn} is named twice", f"/edits/{number}/turn"))
        else:
            kept[edit.turn] = edit
    if problems:
        raise Invalid(problems)
    return tuple(
        edit for turn, edit in sorted(kept.items()) if edit.text != turns[edit.turn]["body"]
    )


async def look_again(
    connections: Connections,
    place: asyncpg.Record,
    turns: Sequence[asyncpg.Record],
    edits: Sequence[Edit],
) -> list[Hit]:
    """What layer 1, with the rules that the run froze, says of a conversation with some of its turns changed.

    Args:
        connections: To NATS.
        place: Run, thread, number and snapshot of the conversation.
        turns: Its turns as they were made.
        edits: What would read otherwise.

    Raises:
        Invalid: where it is too long to be asked about.
        Unavailable: where no filters answer.
    """
    changed = {edit.turn: edit.text for edit in edits}
    look = Look(
        snapshot=place["snapshot"],
        thread=place["thread"],
        conversation=place["number"],
        turns=tuple(
            Turn(role=turn["role"], text=changed.get(number, turn["body"]))
            for number, turn in enumerate(turns)
        ),
        cut=any(
            turn["finish"] == "length" and number not in changed
            for number, turn in enumerate(turns)
        ),
    )
    size = sum(len(turn.text.encode(errors="replace")) for turn in look.turns)
    if size > MOST_BYTES:
        message = f"the conversation has {size:,} bytes, more than the {MOST_BYTES:,} that can be checked at once"
        raise Invalid([Problem(message, "/edits")])
    return list((await _ask(connections, look)).hits)


async def _ask(connections: Connections, look: Look) -> Looked:
    try:
        answer = await connections.broker.request(
            look.model_dump(mode="json"), LOOK, timeout=PATIENCE_S
        )
        looked = Looked.model_validate_json(answer.body)
    except nats.errors.NoRespondersError:
        raise _away("no filters are running; start them, or wait for them") from None
    except (nats.errors.TimeoutError, TimeoutError):
        raise _away(f"the filters did not answer within {PATIENCE_S:.0f} seconds") from None
    except (nats.errors.Error, OSError) as error:
        raise _away(f"the filters cannot be asked: {error}") from None
    except ValidationError:
        raise _away("the answer of the filters could not be read") from None
    if looked.message:
        raise _away(looked.message)
    return looked


def _away(message: str) -> Unavailable:
    return Unavailable(message, part="filters", retry_after_s=2)
