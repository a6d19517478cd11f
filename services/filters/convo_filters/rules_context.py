"""What a rule knows besides the conversation: its parameters, and every turn read once for all rules. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Generic

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypeVar

from convo_events.conversations import Conversation, Role, Turn
from convo_events.plan import Draw
from convo_events.similarity import Shingles
from convo_events.spoken import Spoken
from convo_events.words import word_places, words
from convo_filters.evidence import Found, found_at, own_words, without_code
from convo_filters.plain_text import PlainText, plain
from convo_filters.wordings import Starts, Wordings, crosses_sentence, spans_from


class RuleParameters(BaseModel):
    """What can be set on a rule. Rules without parameters have just this."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


_LONG = 40
P = TypeVar("P", bound=RuleParameters, default=RuleParameters)
Q = TypeVar("Q", default=None)


class Heard:
    """What is said in all turns of a conversation: wordings that have nothing in it need no look at each turn."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self.turns: list[Said] = []
        self._among: dict[Wordings, Wordings | None] = {}

    def among(self, wordings: Wordings) -> Wordings | None:
        """Those of the wordings that may be in a turn; None where none may."""
        if wordings not in self._among:
            self._among[wordings] = wordings.among(self._vocabulary)
        return self._among[wordings]

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset().union(*(said.vocabulary for said in self.turns))


class Said:
    """One turn as rules read it. Places are those of ``plain``; findings lead back to the turn's own characters."""

    def __init__(self, at: int, turn: Turn, spoken: Spoken, heard: Heard | None = None) -> None:
        """Read a turn; what only some rules need is worked out when the first of them asks."""
        self._spoken = spoken
        self._heard = heard or Heard()
        self._heard.turns.append(self)
        self.at = at
        self.role: Role = turn.role
        self.text = turn.text
        """As it was given."""
        self._plain: PlainText = plain(turn.text)
        self.plain = self._plain.text
        """With one kind of apostrophe, space and line end, without invisible marks."""
        # Where both have the same words those of the text itself serve layer 2 as well.
        self._read = turn.text if self._plain.same_words else self.plain
        self.words = spoken.words(self._read)
        """Folded, in order."""

    @cached_property
    def prose(self) -> str:
        """``plain`` with code replaced by blanks."""
        return without_code(self.plain)

    @cached_property
    def own(self) -> str:
        """``plain`` with code, quotations and quoted lines replaced by blanks."""
        return own_words(self.prose)

    @cached_property
    def lowered(self) -> str:
        """``own`` in small letters; places stay the same."""
        return self.own.lower()

    @cached_property
    def own_words(self) -> Sequence[str]:
        """The folded words of ``own``."""
        return self.words if self.own is self.plain else words(self.own)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different words."""
        return frozenset(self.words)

    @cached_property
    def longest_word(self) -> int:
        """No word has more characters than this; exact from 40 on."""
        room = len("".join(self.words)) - len(self.words) + 1
        return room if room < _LONG else max(map(len, self.vocabulary), default=0)

    @cached_property
    def runs(self) -> Shingles:
        """Hashes of the different runs of three words; fewer words give none."""
        return self._spoken.turn_shingles(self._read) if len(self.words) > 2 else frozenset()

    @cached_property
    def digits(self) -> int:
        """How many decimal digits there are in numbers, of any script."""
        return sum(map(len, filter(str.isdecimal, self.words)))

    def has(self, wordings: Wordings) -> bool:
        """Whether any of these wordings is in the turn, no matter whose words they are."""
        return bool(spans_from(self._starts(wordings), self.words))

    def wording(self, wordings: Wordings, detail: str) -> Found | None:
        """The first of these wordings that is the speaker's own and inside one sentence."""
        places = self.wording_places(wordings)
        return self.found(*places[0], detail) if places else None

    def wording_places(self, wordings: Wordings) -> list[tuple[int, int]]:
        """Places in ``plain`` of all of these wordings that are the speaker's own and inside one sentence, in order."""
        starts = self._starts(wordings)
        spans = spans_from(starts, self.own_words) if starts else []
        places = _word_places(self.own, spans) if spans else []
        return [place for place in places if not crosses_sentence(self.own[slice(*place)])]

    def _starts(self, wordings: Wordings) -> Starts:
        among = self._heard.among(wordings)
        return among.starts(self.vocabulary) if among else {}

    def found(self, start: int, end: int, detail: str) -> Found:
        """A finding of a span of ``plain``."""
        return found_at(self.at, self.text, *self._plain.place(start, end), detail)

    def found_given(self, start: int, end: int, detail: str) -> Found:
        """A finding of a span of ``text``, for rules that look at what ``plain`` leaves out."""
        return found_at(self.at, self.text, start, end, detail)

    def found_words(self, first: int, last: int, detail: str) -> Found:
        """A finding of the words from number ``first`` to ``last`` (both from 0, both included)."""
        return self.found_words_of(self.plain, first, last, detail)

    def found_words_of(self, blanked: str, first: int, last: int, detail: str) -> Found:
        """The same for the words of ``prose`` or ``own``, which have blanks where ``plain`` has words."""
        return self.found(*_word_places(blanked, [(first, last)])[0], detail)

    def found_whole(self, detail: str) -> Found:
        """A finding of the turn as a whole."""
        return found_at(self.at, self.text, 0, len(self.text), detail)


@dataclass(frozen=True, slots=True)
class Reading:
    """What all rules need of one conversation, read once."""

    turns: tuple[Said, ...]
    """In order."""
    language: str
    """The first part of the language's code, such as ``en`` of en-GB."""
    draw: Draw | None = None
    """What the plan drew for the conversation; None where there is no plan."""

    @classmethod
    def of(
        cls, conversation: Conversation, draw: Draw | None = None, spoken: Spoken | None = None
    ) -> "Reading":
        """Read a conversation; ``spoken`` keeps its words for what looks at it next."""
        spoken, heard = spoken or Spoken(), Heard()
        turns = tuple(Said(at, turn, spoken, heard) for at, turn in enumerate(conversation.turns))
        return cls(turns, conversation.language.split("-")[0].lower(), draw)

    def of_role(self, role: Role) -> Iterator[Said]:
        """The turns of one speaker, in order."""
        return (said for said in self.turns if said.role == role)

    def first(self, look: Callable[[Said], Found | None], role: Role | None = None) -> Found | None:
        """What ``look`` finds first, in any turn or in those of one speaker."""
        for said in self.turns:
            if role in (None, said.role) and (found := look(said)):
                return found
        return None


@dataclass(frozen=True, slots=True)
class Context(Generic[P, Q]):
    """What one rule is given with a conversation."""

    parameters: P
    """As the config sets them, defaults filled in."""
    prepared: Q
    """What the rule's own ``prepare`` made of the snapshot; None for rules without one."""
    reading: Reading
    """The conversation's turns, read."""


def _word_places(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Characters (start, end) of spans of words; a word number too high means the last word."""
    needed = 1 + max(last for _, last in spans)
    places = list(islice(word_places(text), needed)) or [(0, len(text))]
    top = len(places) - 1
    return [(places[min(first, top)][0], places[min(last, top)][1]) for first, last in spans]
