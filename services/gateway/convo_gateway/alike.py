"""Two conversations side by side: where their words are the same, and where they are the template's. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from convo_events.catalog import Example
from convo_events.conversations import Hit, Overlap
from convo_events.masking import mask_of
from convo_events.overlap import MOST_OVERLAPS, passages
from convo_events.similarity import SHINGLE_WORDS, Shingles, hashes_in_order
from convo_events.snapshot import Snapshot
from convo_events.words import placed_words
from convo_gateway.reads.alike import MOST_CHARACTERS, Piece
from convo_gateway.shapes.alike import ComparedSide, ComparedTurn, TextSpan


@dataclass(frozen=True, slots=True)
class Frozen:
    """What a run froze of all this."""

    limit: float | None
    mask: Shingles
    prompt_set: str
    example: Example | None
    """The one that the hit names."""

    @classmethod
    def of(cls, body: bytes | None, hit: Hit) -> "Frozen":
        """From the snapshot; without one nothing is known."""
        if body is None:
            return cls(None, frozenset(), "", None)
        snapshot = Snapshot.model_validate_json(body)
        diversity, examples = snapshot.config.diversity, snapshot.prompt_set.examples
        if hit.reason == "example_copy":
            named = next((one for one in examples if one.name == hit.neighbour), None)
            return cls(diversity.example_copy, frozenset(), snapshot.prompt_set.name, named)
        return cls(diversity.near_duplicate, mask_of(snapshot), snapshot.prompt_set.name, None)


def example_pieces(example: Example, *, first: int, most: int) -> list[Piece]:
    """Turns of an example from number ``first`` on, the user's first, as far as a page shows them."""
    return [
        (at, "assistant" if at % 2 else "user", text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS)
        for at, text in enumerate(example.turns)
    ][first : first + most]


def side(shown: Iterable[Piece], of: int, mask: Shingles) -> ComparedSide:
    """Turns with the places of template text in them."""
    turns = [
        ComparedTurn(
            number=number, role=role, text=text, cut=cut, template=template_spans(text, mask)
        )
        for number, role, text, cut in shown
    ]
    return ComparedSide(turns=turns, of=of)


def template_spans(text: str, mask: Shingles) -> list[TextSpan]:
    """Words of every three in a row that the mask has, joined where they touch."""
    placed = list(placed_words(text)) if mask else []
    runs = [[word for word, _, _ in placed[at : at + SHINGLE_WORDS]] for at in _starts(placed)]
    spans: list[TextSpan] = []
    for at, shingle in enumerate(hashes_in_order(runs) if runs else ()):
        if shingle in mask:
            start, end = placed[at][1], placed[at + SHINGLE_WORDS - 1][2]
            if spans and start <= spans[-1].end:
                start = spans.pop().start
            spans.append(TextSpan(start=start, end=end))
    return spans


def shared(mine: Sequence[Piece], theirs: Sequence[Piece], mask: Shingles) -> list[Overlap]:
    """The weightiest passages of both, for verdicts that kept none."""
    found = passages([text for _, _, text, _ in mine], [text for _, _, text, _ in theirs], mask)
    return [passage.place for passage in found[:MOST_OVERLAPS]]


def _starts(placed: Sequence[object]) -> range:
    return range(len(placed) - SHINGLE_WORDS + 1)
