"""The SQL of a filter of conversations, over table ``corpus``."""

from dataclasses import dataclass, field

from convo_events.search_words import question
from convo_gateway.shapes.conversation_filter import ConversationFilter

CHOICES = (
    "run",
    "config",
    "status",
    "reason",
    "layer",
    "persona",
    "voice",
    "mode",
    "language",
    "review",
)
"""Fields of a filter that list values of the column of the same name."""
_MICRO_PER_USD = 1_000_000
_RANGES = ("turns", "score", "cost")
_NONE = {"language": "none", "review": "none"}
"""How a filter says that the column is empty."""
_SAID = "id in (select w.id from corpus_words w where w.said @@ {}::text::tsquery)"


@dataclass(slots=True)
class Where:
    """Conditions on table ``corpus`` that all have to hold, and their arguments: ``$1`` is the first."""

    conditions: list[str] = field(default_factory=list)
    arguments: list[object] = field(default_factory=list)

    def add(self, condition: str, *arguments: object) -> None:
        """Add a condition; each ``{}`` in it stands for the next argument."""
        holes = []
        for argument in arguments:
            self.arguments.append(argument)
            holes.append(f"${len(self.arguments)}")
        self.conditions.append(condition.format(*holes))

    def hole(self, argument: object) -> str:
        """The place of one more argument."""
        self.arguments.append(argument)
        return f"${len(self.arguments)}"

    @property
    def sql(self) -> str:
        """``where`` with all of them; empty without any."""
        return f"where {' and '.join(self.conditions)}" if self.conditions else ""


def where(wanted: ConversationFilter) -> Where:
    """The conditions of a filter, for ``select ... from corpus``; names of columns are not qualified."""
    found = Where()
    if not wanted.run:
        found.add("not sample")
    for name in CHOICES:
        _choose(found, name, getattr(wanted, name))
    if wanted.edited is not None:
        found.add("edited = {}", wanted.edited)
    for name in _RANGES:
        column = "cost_micro" if name == "cost" else name
        for end, sign in (("from", ">="), ("to", "<=")):
            value = getattr(wanted, f"{name}_{end}")
            if value is not None:
                found.add(
                    f"{column} {sign} {{}}",
                    round(value * _MICRO_PER_USD) if name == "cost" else value,
                )
    if wanted.text.strip():
        asked = question(wanted.text)
        # Signs alone are in no word.
        found.add(_SAID, asked) if asked else found.add("false")
    return found


def _choose(found: Where, name: str, values: tuple[str | int, ...]) -> None:
    if not values:
        return
    empty = _NONE.get(name)
    listed = ["" if value == empty else value for value in values]
    if len(listed) == 1:
        found.add(f"{name} = {{}}", listed[0])
    else:
        found.add(f"{name} = any({{}})", listed)
