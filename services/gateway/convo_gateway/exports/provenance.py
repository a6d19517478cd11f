"""What stands beside an exported conversation, put together from its rows and from what its run froze. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from convo_events.snapshot import Snapshot
from convo_gateway.exports.columns import COLUMNS, HIT, REVIEW, SCORE, Column
from convo_gateway.exports.examples import SYSTEM, Example, Message, Value
from convo_gateway.exports.seed_groups import seed_group, split_of
from convo_gateway.shapes.export_wishes import ExportOptions

Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What every conversation of a run has in common."""

    run: Row
    """Its row of the read model."""
    snapshot: Snapshot | None
    """What it froze; None where that is not kept, or cannot be read any more."""
    config_hash: str | None
    """SHA-256 of the canonical JSON of the frozen config."""

    def model(self, role: str) -> str | None:
        """The model of a role, as backend/model; None where there is none or nobody knows."""
        roles = self.snapshot.config.roles if self.snapshot else None
        chosen = getattr(roles, role, None)
        return f"{chosen.backend}/{chosen.model}" if chosen else None

    @property
    def language(self) -> str | None:
        """Language that the config asks for."""
        return self.snapshot.config.language if self.snapshot else None


@dataclass(frozen=True, slots=True)
class Found:
    """All rows of one conversation."""

    conversation: Row
    turns: Sequence[Row]
    """Role and body, oldest first."""
    reviews: Sequence[Row]
    """Oldest first."""
    origin: Row | None = None
    """The row of a file that it was; None where a run made it."""


def example(
    found: Found,
    facts: RunFacts,
    options: ExportOptions,
    verdict_set: str,
    columns: Sequence[Column] = COLUMNS,
) -> Example:
    """The conversation as exports see it."""
    row = found.conversation
    system, origin = told_of(found.origin) if found.origin else ((), _MADE_HERE)
    edits = _edits(found.reviews) if row.get("edited") else {}
    edited = bool(edits) and options.text == "edited"
    messages = [
        Message(
            str(turn["role"]), edits.get(number, str(turn["body"])) if edited else str(turn["body"])
        )
        for number, turn in enumerate(found.turns)
    ]
    group = seed_group(facts.snapshot, _int(row["thread"]), _int(row["number"]), str(row["id"]))
    key = group if options.split_by == "seed_group" else str(row["id"])
    own: dict[str, Value] = {
        "conversation": row["id"],
        "run_name": facts.run["name"],
        "config_hash": facts.config_hash,
        "seed_group": group,
        "split": split_of(key, options.splits, options.split_seed),
        "language": facts.language,
        **{f"{role}_model": facts.model(role) for role in _ROLES},
        "verdict_set": verdict_set,
        "hit": _picked(_json(row["hit"]), HIT),
        "also": [_picked(one, HIT) for one in _list(_json(row["also"]))],
        "criteria": [_picked(one, SCORE) for one in _list(_json(row["criteria"]))],
        "review": row.get("review", ""),
        "edited": bool(row.get("edited")),
        "text_is_edited": edited,
        "reviews": [_review(one) for one in found.reviews],
        **origin,
    }
    values = {**facts.run, **row, **own}
    return Example((*system, *messages), {column.name: values[column.name] for column in columns})


_MADE_HERE: Row = dict.fromkeys(("import_source", "import_row", "import_left_out", "metadata"))
_ROLES = ("assistant", "user", "roughen", "judge")


def told_of(origin: Row) -> tuple[tuple[Message, ...], dict[str, Value]]:
    """The system message of an imported row, if it had one, and the columns about the row."""
    metadata = origin["metadata"]
    fields = dict(metadata) if isinstance(metadata, dict) else {}
    system = fields.pop(SYSTEM) if isinstance(fields.get(SYSTEM), str) else None
    columns: dict[str, Value] = {
        "import_source": origin["source"],
        "import_row": origin["row"],
        "import_left_out": origin["left_out"],
        "metadata": orjson.dumps(fields, option=orjson.OPT_SORT_KEYS).decode(),
        # Nobody planned what was made elsewhere.
        "planned_turns": None,
    }
    return () if system is None else (Message(SYSTEM, system),), columns


def _edits(reviews: Sequence[Row]) -> dict[int, str]:
    """Turn to the text that the latest review gives it."""
    latest = _list(_json(reviews[-1]["edits"])) if reviews else []
    return {_int(one["turn"]): str(one["text"]) for one in latest if isinstance(one, dict)}


def _review(row: Row) -> dict[str, Value]:
    turns = [one["turn"] for one in _list(_json(row["edits"])) if isinstance(one, dict)]
    return {name: turns if name == "edited_turns" else row[name] for name in REVIEW}


def _picked(value: Value, names: Sequence[str]) -> dict[str, Value] | None:
    if not isinstance(value, dict):
        return None
    return {name: value.get(name) for name in names}


def _json(value: Value) -> Value:
    return orjson.loads(value) if isinstance(value, str) else value


def _list(value: Value) -> list[Value]:
    return value if isinstance(value, list) else []


def _int(value: Value) -> int:
    assert isinstance(value, int)
    return value
