"""What texts have in common: of some, exactly; of all of a run, from what is counted of them. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from convo_events.accepted_text import ROLES, AcceptedText
from convo_events.cardinality import STANDARD_ERROR, unpacked
from convo_events.conversations import Role
from convo_events.distinct import gram_hashes
from convo_events.frequent import Frequent, Seen
from convo_events.turn_lengths import TurnLengths, bins
from convo_events.words import words
from convo_gateway.shapes.distributions import (
    Grams,
    LengthBin,
    Opening,
    RoleLengths,
    RoleOpenings,
)

SIZES = (1, 2, 3)
PHRASES = 10
"""The most frequent openings that are told."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Parts of an answer."""

    grams: list[Grams] = field(default_factory=list)
    lengths: list[RoleLengths] = field(default_factory=list)
    openings: list[RoleOpenings] = field(default_factory=list)


def exact_spread(texts: Sequence[AcceptedText]) -> Spread:
    """Of these conversations, counted whole; nothing for none."""
    if not texts:
        return Spread()
    lengths = {role: TurnLengths() for role in ROLES}
    openings = {role: Frequent(places=len(texts)) for role in ROLES}
    tokens: list[list[str]] = []
    for text in texts:
        for role, body in text.turns:
            tokens.append(words(body))
            lengths[role].add(len(tokens[-1]))
        for role, phrase in text.openings().items():
            openings[role].add(phrase)
    hashes = [(n, gram_hashes(tokens, n)) for n in SIZES]
    return Spread(
        [_grams(n, len(set(found)), len(found), estimated=False) for n, found in hashes],
        _lengths(lengths),
        _openings({role: found.top() for role, found in openings.items()}),
    )


def counted_spread(row: Mapping[str, Any]) -> Spread:
    """Of all conversations that the projector has counted, from its row."""
    lengths, openings = orjson.loads(row["lengths"]), orjson.loads(row["openings"])
    sketches = unpacked(row["sketches"])
    return Spread(
        [
            _grams(n, min(round(sketch.estimate()), total), total, estimated=True)
            for n, total, sketch in zip(SIZES, row["grams"], sketches, strict=True)
        ],
        _lengths({role: TurnLengths(**lengths.get(role, {})) for role in ROLES}),
        _openings({role: [Seen(*one) for one in openings.get(role, [])] for role in ROLES}),
    )


def _grams(n: int, different: int, total: int, *, estimated: bool) -> Grams:
    return Grams(
        n=n,
        distinct=different / total if total else None,
        different=different,
        total=total,
        estimated=estimated,
        standard_error=STANDARD_ERROR if estimated else None,
    )


def _lengths(found: Mapping[Role, TurnLengths]) -> list[RoleLengths]:
    return [
        RoleLengths(
            role=role,
            turns=one.turns,
            mean=one.mean,
            longest=one.longest,
            bins=[
                LengthBin(fewest=fewest, most=most, turns=turns)
                for (fewest, most), turns in zip(bins(), one.counts, strict=True)
            ],
        )
        for role, one in found.items()
    ]


def _openings(found: Mapping[Role, Sequence[Seen]]) -> list[RoleOpenings]:
    return [
        RoleOpenings(
            role=role,
            # The counts of the sketch add up to what was seen, whatever took the place of what.
            conversations=sum(one.at_most for one in seen),
            phrases=[
                Opening(phrase=one.phrase, at_least=one.at_least, at_most=one.at_most)
                for one in seen[:PHRASES]
            ],
        )
        for role, seen in found.items()
    ]
