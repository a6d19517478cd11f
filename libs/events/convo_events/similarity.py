"""How alike conversations are: shingles, their similarity, and the band hashes that find candidates. Pure.

A shingle is the hash of three words in a row (characters, in scripts without spaces; see ``words``). Band hashes only
ever propose: whatever they find is verified by the true similarity of the shingle sets.

Source: Broder, "On the resemblance and containment of documents" (1997); the band formula is Leskovec, Rajaraman and
Ullman, "Mining of Massive Datasets", section 3.4.
"""

import base64
import binascii
import hashlib
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rensa import RMinHash  # type: ignore[import-untyped]  # the wheel carries no types

from convo_events.catalog import Pool, PromptSet
from convo_events.words import fold, words

Shingles = frozenset[int]
"""Unsigned 64-bit hashes; the same on every machine and in every process."""

SHINGLE_WORDS = 3
PERMUTATIONS = 128
RECALL = 0.9999
"""Least share of pairs exactly at the threshold that the bands must propose; nearer pairs are missed less often."""
_MOST_ROWS = 8
_SEED = 20_160_612
_TEMPLATE_CODE = re.compile(r"\{\{[^{}]*\}\}|\{%[^{}]*%\}|\{#[^{}]*#\}")


def shingles(turns: Iterable[str], mask: Shingles = frozenset()) -> Shingles:
    """The shingles of a conversation that are not template text.

    A shingle does not reach over the end of a turn. A turn of one or two words gives its words, one of none (a smile)
    its bare text. Where all of a conversation is template text nothing is masked, so that only an empty conversation
    has an empty set.
    """
    return unmasked(_hashes(gram for turn in turns for gram in _grams(turn, words(turn))), mask)


def turn_shingles(text: str, tokens: Sequence[str]) -> Shingles:
    """The shingles of one turn and its words; those of all turns together are the conversation's, nothing masked."""
    return _hashes(_grams(text, tokens))


def unmasked(found: Shingles, mask: Shingles) -> Shingles:
    """The shingles of a conversation that are not template text; all of them where all are."""
    return (found - mask) or found


def template_text(prompt_set: PromptSet) -> list[str]:
    """The segments' own text in pieces, without template code, so that nothing reaches over a variable."""
    return [
        piece for segment in prompt_set.segments.values() for piece in _TEMPLATE_CODE.split(segment)
    ]


def template_mask(prompt_set: PromptSet, pools: Iterable[Pool] = ()) -> Shingles:
    """Shingles of what every conversation is prompted with: the segments' own words, and the pools' values."""
    pieces = [*template_text(prompt_set), *(value for pool in pools for value in pool.values)]
    return _hashes(gram for piece in pieces for gram in _triples(words(piece)))


def hashes_in_order(runs: Iterable[Sequence[str]]) -> list[int]:
    """The shingle of each run of words, in order."""
    return list(RMinHash.hash_token_sets([[" ".join(run) for run in runs]])[0])


def jaccard(one: Shingles, other: Shingles) -> float:
    """Shared shingles over all shingles, 0 to 1; 0 where both are empty."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def containment(example: Shingles, conversation: Shingles) -> float:
    """The share of the example's shingles that the conversation has, 0 to 1."""
    return len(example & conversation) / len(example) if example else 0.0


def too_near(similarity: float, limit: float) -> bool:
    """Whether a similarity is above the limit; an exact copy is, even where the limit is 1."""
    return similarity > limit or similarity == 1.0


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An accepted conversation that another one is too near to."""

    conversation: str
    """Its id."""
    similarity: float
    """True similarity, 0 to 1."""


def nearest(
    candidate: Shingles, neighbours: Iterable[tuple[str, Shingles]], limit: float
) -> Neighbour | None:
    """The nearest neighbour (id, shingles) above the limit, by true similarity; None where all are far enough.

    Every neighbour is compared with the candidate itself, so a chain of near pairs links nothing. Equally near: the
    first id.
    """
    best: Neighbour | None = None
    for name, other in neighbours:
        found = jaccard(candidate, other)
        if too_near(found, limit) and (
            best is None or (-found, name) < (-best.similarity, best.conversation)
        ):
            best = Neighbour(name, found)
    return best


@lru_cache(maxsize=64)
def bands(threshold: float) -> tuple[int, int]:
    """Rows in a band and number of bands for a similarity threshold, such as (4, 32) for 0.75.

    A pair of similarity s shares a band with probability 1 - (1 - s**rows)**bands. Most rows, and so fewest false
    candidates, for which that is at least ``RECALL`` at the threshold; one row where no choice reaches it.
    """
    for rows in range(_MOST_ROWS, 1, -1):
        count = PERMUTATIONS // rows
        if 1 - (1 - threshold**rows) ** count >= RECALL:
            return rows, count
    return 1, PERMUTATIONS


def minhash(found: Shingles) -> bytes:
    """The ``PERMUTATIONS`` minima of a set, 32-bit little-endian numbers; nothing for an empty set."""
    return minhash_many([found])[0]


def minhash_many(sets: Sequence[Shingles]) -> list[bytes]:
    """``minhash`` of each set, together: far less than one by one."""
    tokens = [list(found) for found in sets if found]
    rows = iter(RMinHash.digest_matrix_from_token_hash_sets(tokens, PERMUTATIONS, _SEED).to_rows())
    return [struct.pack(f"<{PERMUTATIONS}I", *next(rows)) if found else b"" for found in sets]


def band_hashes(minima: bytes, threshold: float, scope: str = "") -> tuple[int, ...]:
    """One hash for each band, as signed 32-bit numbers; two conversations are candidates if they share one.

    Args:
        minima: What ``minhash`` gave; nothing has no bands.
        threshold: The similarity limit; it chooses the bands, so both sides need the same.
        scope: Mixed into every hash, such as a run's id: conversations of different scopes share nothing.
    """
    if not minima:
        return ()
    rows, count = bands(threshold)
    width = 4 * rows
    key = hashlib.blake2b(scope.encode(errors="replace"), digest_size=16).digest()
    return tuple(_band_hash(key, at, minima[at * width : (at + 1) * width]) for at in range(count))


def signature(found: Shingles, threshold: float, scope: str = "") -> tuple[int, ...]:
    """The band hashes of a set of shingles; none for an empty set."""
    return band_hashes(minhash(found), threshold, scope)


def encode_signature(numbers: Sequence[int]) -> str:
    """Base 64 of big-endian signed 32-bit numbers; empty for none."""
    return base64.b64encode(struct.pack(f">{len(numbers)}i", *numbers)).decode()


def decode_signature(text: str) -> tuple[int, ...]:
    """The numbers of an encoded signature.

    Raises:
        ValueError: if the text is not base 64 of whole 32-bit numbers.
    """
    try:
        packed = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"signature is not base 64: {error}") from error
    if len(packed) % 4:
        raise ValueError(f"signature has {len(packed)} bytes, which is no multiple of 4")
    return struct.unpack(f">{len(packed) // 4}i", packed)


def _band_hash(key: bytes, band: int, rows: bytes) -> int:
    hashed = hashlib.blake2b(rows, digest_size=4, key=key, salt=band.to_bytes(2, "big")).digest()
    return int.from_bytes(hashed, "big", signed=True)


def _grams(text: str, tokens: Sequence[str]) -> Iterable[str]:
    if len(tokens) >= SHINGLE_WORDS:
        return _triples(tokens)
    # A lone surrogate has no UTF-8. It is never part of a word, so only the bare text can hold one.
    bare = "".join(fold(text).split()).encode(errors="replace").decode()
    return tokens or ([bare] if bare else [])


def _triples(tokens: Sequence[str]) -> Iterable[str]:
    return map(" ".join, zip(tokens, tokens[1:], tokens[2:], strict=False))


def _hashes(grams: Iterable[str]) -> Shingles:
    return frozenset(RMinHash.hash_token_sets([list(grams)])[0])
