"""The chat format of OpenAI: ``messages`` with role and content, one conversation a line."""

from convo_gateway.exports.examples import Example, Misfit, chat
from convo_gateway.exports.format import LineFormat


def row(example: Example) -> dict[str, object] | Misfit:
    """``messages``, and ``metadata`` beside them. A conversation in which nobody answers teaches nothing."""
    if not example.turns:
        return Misfit("no_turns")
    if all(message.role != "assistant" for message in example.turns):
        return Misfit("no_assistant_turn")
    return {"messages": chat(example.messages), "metadata": example.metadata}


FORMAT = LineFormat("messages", "OpenAI chat, JSON lines", row)
