"""Does a rewriting still say and ask the same? Pure, and strict: where in doubt, the turn stays as it was.

That two texts mean the same cannot be shown. What models lose when they rewrite can be: each check here looks for one
such thing, in the order in which it is told to people.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from convo_generator import facts, wording

Strength = Literal["light", "medium", "strong"]
_LENGTHS: dict[Strength, tuple[float, float]] = {
    "light": (0.7, 1.3),
    "medium": (0.5, 1.5),
    "strong": (0.35, 1.8),
}
"""Shortest and longest rewriting, as a share of the length before."""
_SLACK = 12
"""Characters more or fewer that are always allowed: short messages change by words."""
_OVERLAPS: dict[Strength, float] = {"light": 0.7, "medium": 0.5, "strong": 0.35}
"""Least share of common pairs of letters (Dice). An answer to a message, or a translation, has under 0.3."""
_SHORT = 8
"""Letters under which pairs say nothing."""
_ADDED = re.compile(
    r"\*([^*\n]{1,80})\*|\[([^\]\n]{1,80})\]|\(([^)\n]{1,80})\)|【([^】\n]{1,80})】"
)
_LABEL = re.compile(r"\A[\s*_#>-]{0,8}([^\W\d_][\w -]{0,30}?)[*_]{0,2} ?:(?!\d)")
_SPEAKER = re.compile(
    r"^[\s*_#>-]{0,8}(?:user|assistant|human|ai|bot|system|customer|agent|rewritten|output)[*_]{0,2} ?:",
    re.IGNORECASE | re.MULTILINE,
)
_ASKS = re.compile(r"[?？؟;՞]")
_END = re.compile(r"([.!…。！\n]|[?？؟])")
_OPENER = re.compile(
    r"\b(?:can|could|would|will|do|does|did|is|are|am|was|were|has|have|should|shall|may|might|cn|cud|wud|r)\s+"
    r"(?:you|u|ya|i|we|it|he|she|they|this|that|there|these|those|the|my|your|ur|someone|anyone)\b"
)
_NEAR_NAMES = frozenset({"de", "lb"})
"""Languages in which every noun has a capital letter: there, one typing mistake does not lose a name."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A user turn before and after."""

    before: str
    after: str
    language: str
    """BCP 47 code of the language that the conversation is in."""
    strength: Strength
    names: tuple[str, ...] = ()
    """Names that have to stay where they occur, such as the persona's or values of pools."""

    @property
    def primary(self) -> str:
        """The language without region or script."""
        return self.language.replace("_", "-").split("-")[0].lower()


def changed(rewriting: Rewriting) -> str | None:
    """What a rewriting lost, changed or added, for people; None where the meaning is kept."""
    for check in _CHECKS:
        found = check(rewriting)
        if found is not None:
            return found
    return None


def _length(r: Rewriting) -> str | None:
    before, after = len(r.before.strip()), len(r.after.strip())
    if after == 0:
        return "it is empty"
    shortest, longest = _LENGTHS[r.strength]
    if after < before * shortest - _SLACK:
        return f"it is too short: {after} characters instead of {before}"
    if after > before * longest + _SLACK:
        return f"it is too long: {after} characters instead of {before}"
    return None


def _script(r: Rewriting) -> str | None:
    before, after = _scripts(r.before), _scripts(r.after)
    if before and after and before.most_common(1)[0][0] != after.most_common(1)[0][0]:
        return "it is in another script"
    if "kana" in before and "kana" not in after and before["kana"] > 1:
        return "it is in another language"
    return None


def _scripts(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for sign in text:
        if sign.isalpha():
            script = unicodedata.name(sign, "?").split(" ")[0].split("-")[0]
            found["kana" if script in ("HIRAGANA", "KATAKANA") else script] += 1
    if found["kana"]:
        found["kana"] += found.pop("CJK", 0)
    return +found


def _label(r: Rewriting) -> str | None:
    if _SPEAKER.search(r.after) and not _SPEAKER.search(r.before):
        return "a speaker's label was added"
    after = _LABEL.match(r.after)
    if after and facts.squashed(after[1]) not in facts.squashed(r.before)[: len(after[1]) + 8]:
        return f"a label was added: {after[1]}"
    return None


def _directions(r: Rewriting) -> str | None:
    said = facts.squashed(r.before)
    for parts in _ADDED.findall(facts.plain(r.after)):
        content = next(part for part in parts if part)
        if facts.squashed(content) not in said:
            return f"something in brackets or asterisks was added: {content}"
    return None


def _links(r: Rewriting) -> str | None:
    return _differ(facts.links(r.before), facts.links(r.after), "the link or address")


def _code(r: Rewriting) -> str | None:
    after = " ".join(r.after.split())
    lost = next((span for span in facts.code(r.before) if span not in after), None)
    return None if lost is None else f"the code is missing: {lost[:80]}"


def _quotes(r: Rewriting) -> str | None:
    after = facts.squashed(r.after)
    lost = next((quote for quote in facts.quotes(r.before) if quote not in after), None)
    return None if lost is None else f"the quoted words are missing: {lost[:80]}"


def _numbers(r: Rewriting) -> str | None:
    return _differ(facts.numbers(r.before), facts.numbers(r.after), "the number")


def _units(r: Rewriting) -> str | None:
    return _differ(facts.units(r.before), facts.units(r.after), "the currency or unit")


def _dates(r: Rewriting) -> str | None:
    before, after = facts.dates(r.before), facts.dates(r.after)
    return "a date was changed" if before != after else None


def _fixed(r: Rewriting) -> str | None:
    before = wording.fixed_words(r.before, r.primary)
    return _differ(before, wording.fixed_words(r.after, r.primary), "the word")


def _identifiers(r: Rewriting) -> str | None:
    after = facts.squashed(r.after)
    found = facts.identifiers(r.before)
    lost = next((token for token in found if facts.squashed(token) not in after), None)
    return None if lost is None else f"{lost[:80]} is missing"


def _names(r: Rewriting) -> str | None:
    after = facts.squashed(r.after)
    known = [name for name in r.names if facts.folded(name) in facts.folded(r.before)]
    fixed = wording.fixed_words(r.before, r.primary)
    said = [name for name in facts.names(r.before) if facts.folded(name) not in fixed]
    there = set(facts.words(r.after)) if r.primary in _NEAR_NAMES else set()
    for name in (*known, *said):
        wanted = facts.squashed(name)
        if wanted not in after and not any(_nearly(wanted, word) for word in there):
            return f"the name is missing: {name[:80]}"
    return None


def _nearly(one: str, other: str) -> bool:
    """Whether two words differ by one letter, or by two neighbours in the wrong order."""
    if len(one) < 5 or abs(len(one) - len(other)) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if at is None:
        return True
    rest, others = one[at + 1 :], other[at + 1 :]
    swapped = one[at : at + 2] == other[at : at + 2][::-1] and rest[1:] == others[1:]
    return rest == others or one[at:] == others or rest == other[at:] or swapped


def _negations(r: Rewriting) -> str | None:
    before = wording.negations(r.before, r.primary)
    after = wording.negations(r.after, r.primary)
    if before == after:
        return None
    return "a negation was lost" if after < before else "a negation was added"


def _question(r: Rewriting) -> str | None:
    marked = _ASKS.search(r.before) is not None
    if not marked and _ASKS.search(r.after) and not _asks(r.before, r.primary):
        return "it asks where nothing was asked"
    if marked and not _ASKS.search(r.after) and not _asks(r.after, r.primary):
        return "the question was lost"
    asked = wording.question_words(_questions(r.before), r.primary)
    lost = asked - wording.question_words(r.after, r.primary)
    return f"the question word is missing: {next(iter(lost))}" if lost else None


def _questions(text: str) -> str:
    """The sentences of a text that end with a question mark."""
    parts = _END.split(text)
    return " ".join(
        said for said, end in zip(parts[::2], parts[1::2], strict=False) if _ASKS.match(end)
    )


def _asks(text: str, language: str) -> bool:
    """Whether a text without a question mark asks all the same."""
    if wording.question_words(text, language):
        return True
    return language == "en" and _OPENER.search(facts.folded(text)) is not None


def _overlap(r: Rewriting) -> str | None:
    before, after = facts.squashed(r.before), facts.squashed(r.after)
    if len(before) < _SHORT:
        return None
    one, other = _pairs(before), _pairs(after)
    common = 2 * (one & other).total() / max(1, one.total() + other.total())
    return None if common >= _OVERLAPS[r.strength] else "it has too little of the original wording"


def _pairs(text: str) -> Counter[str]:
    return Counter(text[at : at + 2] for at in range(len(text) - 1))


def _differ(before: Counter[str], after: Counter[str], what: str) -> str | None:
    """What one side has and the other has not."""
    if lost := before - after:
        return f"{what} is missing: {str(next(iter(lost)))[:80]}"
    if added := after - before:
        return f"{what} was added: {str(next(iter(added)))[:80]}"
    return None


_CHECKS: tuple[Callable[[Rewriting], str | None], ...] = (
    *(_length, _script, _label, _directions),
    *(_links, _code, _quotes, _numbers, _units, _dates, _fixed, _identifiers, _names),
    *(_negations, _question, _overlap),
)
