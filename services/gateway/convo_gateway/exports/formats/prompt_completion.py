"""The conversational prompt and completion of TRL: all up to the last answer, and that answer."""

from convo_gateway.exports.examples import Example, Misfit, chat
from convo_gateway.exports.format import LineFormat


def row(example: Example) -> dict[str, object] | Misfit:
    """``prompt`` ends with a user turn, ``completion`` is the last assistant turn; ``metadata`` beside them."""
    if not example.turns:
        return Misfit("no_turns")
    if example.turns[-1].role != "assistant":
        return Misfit("does_not_end_with_the_assistant")
    if len(example.turns) == 1:
        return Misfit("nothing_before_the_answer")
    *prompt, answer = example.messages
    if prompt[-1].role != "user":
        return Misfit("no_user_turn_before_the_answer")
    return {
        "prompt": chat(prompt),
        "completion": chat([answer]),
        "metadata": example.metadata,
    }


FORMAT = LineFormat("prompt-completion", "TRL prompt and completion, JSON lines", row)
