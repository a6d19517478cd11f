"""Mode ``scripted``: one call writes the whole conversation, as JSON. Pure."""

from convo_events.conversations import Role, Turn
from convo_events.plan import Draw
from convo_events.snapshot import Snapshot
from convo_generator.malformed import Malformed, malformed
from convo_models.answers import storable
from convo_models.json_answers import Json, read_json
from convo_models.prompts import render

MOST_TURNS = 1_000
"""More turns than any plan asks for are no script."""

_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "bot": "assistant",
    "ai": "assistant",
}
_CONTRACT = (
    "Answer with one JSON object and nothing else, in this form: "
    '{{"turns": [{{"role": "user", "text": "..."}}, {{"role": "assistant", "text": "..."}}]}}. '
    "Write exactly {turns} turns. The user speaks first, and the roles alternate."
)


def messages(snapshot: Snapshot, draw: Draw) -> tuple[tuple[str, str], ...]:
    """What the model is sent: role and content of each message, in order.

    Where the backend cannot be held to a schema, the request itself says what the JSON has to look like.

    Raises:
        TemplateProblem: where the segment ``script`` cannot be rendered.
    """
    system = render(snapshot, "script", draw, 1)
    request = "Write the conversation."
    if snapshot.backend(snapshot.role("script").backend).structured != "json_schema":
        request = f"{request} {_CONTRACT.format(turns=draw.turns)}"
    return ("system", system), ("user", request)


def schema(draw: Draw) -> dict[str, Json]:
    """The JSON schema of the answer: exactly the planned turns, nothing beside them (fit for strict modes)."""
    turn: dict[str, Json] = {
        "type": "object",
        "properties": {
            "role": {"type": "string", "enum": ["user", "assistant"]},
            "text": {"type": "string"},
        },
        "required": ["role", "text"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "turns": {
                "type": "array",
                "items": turn,
                "minItems": draw.turns,
                "maxItems": draw.turns,
            }
        },
        "required": ["turns"],
        "additionalProperties": False,
    }


def parse(text: str) -> tuple[Turn, ...] | Malformed:
    """The turns that an answer says, oldest first, or why it says none; anything ambiguous is malformed.

    Read are an object with ``turns`` or a bare list of turns: plain, fenced, or with words around it. Order, number
    and emptiness of the turns are left to the rules.
    """
    answer = read_json(text)
    if answer.trouble is not None:
        return malformed(answer.detail)
    candidates = [listed for value in answer.values for listed in _listed(value)]
    if not candidates:
        return malformed("no JSON with a list of turns in the answer")
    scripts = [_script(candidate) for candidate in candidates]
    if any(script != scripts[0] for script in scripts):
        return malformed("the answer has two scripts that differ")
    return scripts[0]


def _listed(value: Json) -> list[Json]:
    """What stands where the turns should, as the only item; empty where the value is nothing like a script."""
    if isinstance(value, dict):
        return [value["turns"]] if "turns" in value else []
    is_script = isinstance(value, list) and value and all(isinstance(item, dict) for item in value)
    return [value] if is_script else []


def _script(listed: Json) -> tuple[Turn, ...] | Malformed:
    if not isinstance(listed, list):
        return malformed("'turns' is not a list")
    if not 0 < len(listed) <= MOST_TURNS:
        return malformed(f"{len(listed)} turns; between 1 and {MOST_TURNS} were expected")
    turns: list[Turn] = []
    for number, item in enumerate(listed, start=1):
        turn = _turn(item)
        if isinstance(turn, str):
            return malformed(f"turn {number}: {turn}")
        turns.append(turn)
    return tuple(turns)


def _turn(item: Json) -> Turn | str:
    """The turn, or what is wrong with it."""
    if not isinstance(item, dict):
        return "not an object"
    role, text = item.get("role"), item.get("text", item.get("content"))
    speaker = _ROLES.get(role.strip().lower()) if isinstance(role, str) else None
    if speaker is None:
        return f"the role {role!r:.60} is neither user nor assistant"
    if not isinstance(text, str):
        return "no text" if text is None else "the text is not a string"
    if isinstance(item.get("content"), str) and item["content"] != text:
        return "'text' and 'content' differ"
    return Turn(role=speaker, text=storable(text).strip())
