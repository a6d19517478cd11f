"""Conversations for measuring layer 2: number to text, the same one every time, and many rows of them in tables.

* most are free: words as rare and as common as in real text, with phrases that everybody uses; some are short
* a fifth are of families of about a hundred that share two fifths of their words
* a twentieth are near misses: families of twenty in which each differs from the others in one word of ten or so
* a twentieth are of one family, however many there are: their common third fills bands with all of them
"""

import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, repeat

from convo_events.fingerprints import Fingerprint
from convo_events.similarity import Shingles, minhash_many, turn_shingles
from convo_events.store import Connection

RUN = "run-bench"
WORDS, TURNS = 300, 4
FREE = 0.70
"""Share of the free ones."""
COPIED = 50
"""Of the free ones only every so manyth has its words in the tables: no other is ever near enough to be read."""
CHUNK = 2_000
INDEX = "accepted_signature_corpus"
_STRANGERS = """
insert into accepted_signature (conversation, run, bands, corpus, sample)
select $1 || '.' || n || '.0', $1, '{}',
  array(select (random() * 4294967295 - 2147483648)::bigint::int from generate_series(1, 42) where n >= 0),
  array(select (random() * 1073741824 - 2147483648)::bigint::int from generate_series(1, 192) where n >= 0 order by 1)
from generate_series($2::int, $3::int) n
"""
_SYLLABLES = ("ka", "lo", "mi", "ne", "pu", "ra", "so", "ti", "ve", "zo", "be", "da", "fi", "go")
_SAID = 8
"""Words of a phrase that everybody uses."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """How many conversations there are, and how many of them are made of words: the first ones."""

    total: int
    told: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words with how common they are, and phrases."""

    words: list[str]
    weights: list[float]
    """Added up."""
    phrases: list[list[str]]


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """Thirty thousand words, the n-th as common as 1/n."""
    rng = random.Random(1)
    found = list({"".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(60_000)})
    words = sorted(found)[:30_000]
    rng.shuffle(words)
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    phrases = [rng.choices(words, cum_weights=weights, k=_SAID) for _ in range(200)]
    return Vocabulary(words, weights, phrases)


def turns_of(number: int, total: int, edit: float = 0.0) -> list[list[str]]:
    """The words of each turn of a conversation of a corpus.

    Args:
        number: Its number; numbers from ``total`` on are of the same families and in nobody's rows.
        total: Conversations of the corpus.
        edit: Share of the words that are others all the same.
    """
    rng = random.Random(number * 2 + 1)
    told = _words(rng, total)
    if edit:
        chance = random.Random(number + 99)
        told = [_word(chance) if chance.random() < edit else word for word in told]
    each = len(told) // TURNS
    return [told[at * each : (at + 1) * each] for at in range(TURNS)]


def whole(turns: Sequence[Sequence[str]]) -> Shingles:
    """All shingles of such a conversation."""
    return frozenset().union(*(turn_shingles(" ".join(words), words) for words in turns))


def _words(rng: random.Random, total: int) -> list[str]:
    kind = rng.random()
    if kind < FREE:
        told = _free(rng, rng.randint(80, WORDS) - 4 * _SAID)
        for _ in range(4):
            at = rng.randrange(len(told))
            told[at:at] = vocabulary().phrases[min(int(rng.expovariate(0.03)), 199)]
        return told
    if kind < 0.90:
        common = _free(random.Random(f"family {rng.randrange(total // 500 + 1)}"), 120)
        return common + _free(rng, WORDS - 120)
    if kind < 0.95:
        text = _free(random.Random(f"near {rng.randrange(total // 400 + 1)}"), WORDS)
        share = rng.uniform(0.04, 0.10)
        return [_word(rng) if rng.random() < share else word for word in text]
    return _free(random.Random("all"), 100) + _free(rng, WORDS - 100)


def _free(rng: random.Random, count: int) -> list[str]:
    known = vocabulary()
    return rng.choices(known.words, cum_weights=known.weights, k=count)


def _word(rng: random.Random) -> str:
    return _free(rng, 1)[0]


Row = tuple[str, str, list[int], list[int], list[int]]
Said = tuple[str, int, str, str, str]


def _chunk(numbers: range, total: int) -> tuple[list[Row], list[Said]]:
    rows: list[Row] = []
    said: list[Said] = []
    told = [turns_of(number, total) for number in numbers]
    sets = [whole(turns) for turns in told]
    for number, turns, found, minima in zip(numbers, told, sets, minhash_many(sets), strict=True):
        name = f"{RUN}.{number}.0"
        left = Fingerprint.of(found, minima)
        rows.append((name, RUN, [], list(left.bands), list(left.sample)))
        if number % COPIED == 0 or random.Random(number * 2 + 1).random() >= FREE:
            said += [
                (name, at, "assistant" if at % 2 else "user", " ".join(words), "stop")
                for at, words in enumerate(turns)
            ]
    return rows, said


async def fill(c: Connection, corpus: Corpus, numbers: range, processes: int) -> None:
    """Put conversations of a corpus into the tables, and index them afterwards."""
    definition = await c.fetchval("select pg_get_indexdef($1::regclass)", INDEX)
    await c.execute(f"drop index {INDEX}")
    words = range(numbers.start, min(numbers.stop, corpus.told))
    spans = [words[at : at + CHUNK] for at in range(0, len(words), CHUNK)]
    with ProcessPoolExecutor(processes) as pool:
        for rows, said in pool.map(_chunk, spans, repeat(corpus.total)):
            await _copy(c, "accepted_signature", rows)
            await _copy(c, "turn", said)
    first = max(numbers.start, corpus.told)
    if first < numbers.stop:
        await c.execute(_STRANGERS, RUN, first, numbers.stop - 1, timeout=3_600)
    await c.execute("set maintenance_work_mem = '1GB'")
    await c.execute(definition, timeout=3_600)
    await c.execute("analyze accepted_signature; analyze turn", timeout=600)


async def _copy(c: Connection, table: str, records: Sequence[tuple[object, ...]]) -> None:
    columns = {
        "accepted_signature": ["conversation", "run", "bands", "corpus", "sample"],
        "turn": ["conversation", "number", "role", "body", "finish"],
    }
    await c.copy_records_to_table(table, records=records, columns=columns[table], timeout=600)
