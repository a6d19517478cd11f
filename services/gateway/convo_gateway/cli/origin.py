"""What `convo conversation show` says of a conversation that was made elsewhere."""

import json

from convo_gateway.cli.render import number
from convo_gateway.shapes.conversations import OriginShown

__all__ = ["origin_fields"]


def origin_fields(origin: OriginShown | None) -> list[tuple[str, str]]:
    """The row that it was, its system message, and what else stood in the row; nothing where a run made it."""
    if origin is None:
        return []
    gone = "" if origin.is_there else ", which is deleted"
    fields = [
        ("From", f"Row {number(origin.row)} of {origin.name or 'a file'}"),
        ("Import", f"{origin.source}{gone}"),
    ]
    rest = dict(origin.metadata)
    system = rest.pop("system", None)
    if system is not None:
        fields.append(("System message", system if isinstance(system, str) else json.dumps(system)))
    fields += [(f"  {name}", json.dumps(value, ensure_ascii=False)) for name, value in rest.items()]
    if origin.left_out:
        fields.append(("Not kept", ", ".join(origin.left_out)))
    return fields
