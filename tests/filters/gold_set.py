"""The labelled conversations in ``gold``: what each is, which reasons it has to be rejected for, and by which words."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from convo_events.catalog import FilterList, RuleSetting
from convo_events.conversations import Conversation, Hit, Turn
from convo_events.snapshot import Snapshot
from convo_filters.layers import RuleSet
from tests.filters.talk import snapshot

FOLDER = Path(__file__).parent / "gold"
_ROLES = {"u": "user", "a": "assistant"}


class Labelled(BaseModel):
    """One line of a file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: str
    """Unique: what it is about, language, number."""
    lang: str
    """BCP 47 code of the language that the config asks for."""
    turns: tuple[str, ...]
    """The user's first, in turn, unless ``roles`` says otherwise."""
    roles: str = ""
    """A letter a turn: u or a."""
    planned: int = 0
    finish: str = "stop"
    expect: dict[str, str | int]
    """Reason to the words that have to fire it, or to the number of the turn, or to nothing where any will do."""
    rules: dict[str, RuleSetting] = {}
    lists: tuple[FilterList, ...] = ()
    accept: tuple[str, ...] = ("stop",)
    """Finish reasons that the config takes."""

    @property
    def held_out(self) -> bool:
        """Whether it belongs to the third that nobody looks at while rules are written."""
        return zlib.crc32(self.id.encode()) % 3 == 0

    @property
    def conversation(self) -> Conversation:
        """As the filters see it."""
        roles = self.roles or "ua" * len(self.turns)
        turns = tuple(
            Turn.model_validate({"role": _ROLES[role], "text": text})
            for role, text in zip(roles, self.turns, strict=False)
        )
        return Conversation(
            turns=turns, finish=self.finish, planned_turns=self.planned, language=self.lang
        )

    @property
    def snapshot(self) -> Snapshot:
        """What the run froze."""
        return snapshot(self.rules, self.lists, accept_finish=self.accept)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules made of one labelled conversation."""

    row: Labelled
    hits: dict[str, Hit]

    def right(self, reason: str) -> bool:
        """Whether an expected reason was found by words that touch the labelled ones."""
        hit, wanted = self.hits.get(reason), self.row.expect[reason]
        if hit is None or hit.turn is None or hit.start is None or hit.end is None:
            return False
        if isinstance(wanted, int) or not wanted:
            return wanted in ("", hit.turn)
        text = self.row.turns[hit.turn]
        place = text.find(wanted)
        while place >= 0:
            if place < hit.end and hit.start < place + len(wanted):
                return True
            place = text.find(wanted, place + 1)
        return False

    def missed(self) -> list[str]:
        """Expected reasons that were not found, or only by other words."""
        return [reason for reason in self.row.expect if not self.right(reason)]

    def false(self) -> list[str]:
        """Reasons found that nobody expects."""
        return [reason for reason in self.hits if reason not in self.row.expect]


def rows() -> Iterator[Labelled]:
    """Every labelled conversation, file by file."""
    adapter = TypeAdapter(Labelled)
    for path in sorted(FOLDER.glob("*.jsonl")):
        # A line separator inside a text is no end of a row.
        lines = path.read_text(encoding="utf-8").split("\n")
        yield from (adapter.validate_json(line) for line in lines if line)


@cache
def verdicts() -> tuple[Verdict, ...]:
    """The rules' answer to every labelled conversation."""
    plain = RuleSet.of(snapshot())
    found = []
    for row in rows():
        special = row.rules or row.lists or row.accept != ("stop",)
        rules = RuleSet.of(row.snapshot) if special else plain
        found.append(Verdict(row, {hit.reason: hit for hit in rules.check(row.conversation)}))
    return tuple(found)
