"""ShareGPT: ``conversations`` of ``from`` and ``value``, a human first and then strictly in turn.

Loaders of this shape take the first turn for the human's and every second one for the model's, so a conversation that
is otherwise is skipped and never bent. A system message stands before.
"""

from itertools import pairwise

from convo_gateway.exports.examples import Example, Misfit
from convo_gateway.exports.format import LineFormat

_SPEAKERS = {"system": "system", "user": "human", "assistant": "gpt"}


def row(example: Example) -> dict[str, object] | Misfit:
    """``id`` and ``conversations``, and ``metadata`` beside them."""
    roles = [message.role for message in example.turns]
    if not roles:
        return Misfit("no_turns")
    if roles[0] != "user":
        return Misfit("does_not_begin_with_the_user")
    if any(one == other for one, other in pairwise(roles)):
        return Misfit("does_not_alternate")
    if "assistant" not in roles:
        return Misfit("no_assistant_turn")
    return {
        "id": example.metadata["conversation"],
        "conversations": [
            {"from": _SPEAKERS[message.role], "value": message.content}
            for message in example.messages
        ],
        "metadata": example.metadata,
    }


FORMAT = LineFormat("sharegpt", "ShareGPT, JSON lines", row)
