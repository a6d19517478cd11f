"""Layer 1 alone, on one core: ``python -m tests.bench.rules`` prints conversations a second, and each rule's share.

Conversations have 20 turns of about 40 words each, put together from the innocent texts of the labelled set, so that
quick looks find what real text has: quotations, code, digits, other scripts. Every figure is CPU time of the thread,
the best of many short rounds; other work on the machine still shows, so compare figures of one run.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable

from convo_events.conversations import Conversation, Turn
from convo_filters.layers import RuleSet
from convo_filters.rules_context import Context, Reading
from tests.filters.gold_set import rows
from tests.filters.talk import snapshot

TURNS, WORDS, CHARACTERS_A_WORD = 20, 40, 6
LANGUAGES = ("en", "de", "ru", "ar", "zh", "ja")


def conversations(language: str, count: int, seed: int = 1) -> list[Conversation]:
    """Conversations from innocent texts of a language, the same ones for the same seed."""
    rng = random.Random(seed)
    innocent = [row for row in rows() if not row.expect and row.lang.split("-")[0] == language]
    users = [text for row in innocent for text in row.turns[::2]]
    assistants = [text for row in innocent for text in row.turns[1::2]]
    made = []
    for _ in range(count):
        texts = [_text(users if at % 2 == 0 else assistants, rng) for at in range(TURNS)]
        turns = tuple(
            Turn(role="assistant" if at % 2 else "user", text=text) for at, text in enumerate(texts)
        )
        made.append(Conversation(turns=turns, planned_turns=TURNS, language=language))
    return made


def _text(pieces: list[str], rng: random.Random) -> str:
    chosen: list[str] = []
    while sum(len(piece) for piece in chosen) < WORDS * CHARACTERS_A_WORD:
        chosen.append(rng.choice(pieces))
    return " ".join(chosen)[: WORDS * CHARACTERS_A_WORD]


def best(work: Callable[[], object], rounds: int) -> float:
    """CPU seconds of the fastest round."""
    times = []
    for _ in range(rounds):
        started = time.thread_time()
        work()
        times.append(time.thread_time() - started)
    return min(times)


def shares(made: list[Conversation], rules: RuleSet, rounds: int) -> dict[str, float]:
    """CPU seconds of reading and of each rule; what turns work out once is counted as reading."""

    def read() -> list[Reading]:
        readings = [Reading.of(one) for one in made]
        for reading in readings:
            for said in reading.turns:
                _ = (said.lowered, said.vocabulary, said.own_words, said.digits)
        return readings

    readings = read()
    found = {"(reading)": best(read, rounds)}
    for one in rules.ready:
        contexts = [Context(one.parameters, one.prepared, reading) for reading in readings]
        pairs = list(zip(made, contexts, strict=True))
        found[one.rule.reason] = best(
            lambda pairs=pairs, check=one.rule.check: [check(*pair) for pair in pairs],  # type: ignore[misc]
            rounds,
        )
    return found


def main() -> int:
    """Measure and print; exit code 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rules", description=__doc__)
    parser.add_argument("--count", type=int, default=8, help="conversations of each language")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    arguments = parser.parse_args()
    rules = RuleSet.of(snapshot())
    for language in arguments.language or LANGUAGES:
        made = conversations(language, arguments.count)
        whole = best(lambda made=made: [rules.check(one) for one in made], arguments.rounds)  # type: ignore[misc]
        parts = shares(made, rules, arguments.rounds)
        total = sum(parts.values())
        print(f"{language}: {len(made) / whole:.0f} conversations a second")
        for name, seconds in sorted(parts.items(), key=lambda part: -part[1]):
            print(f"  {name:22}{seconds / len(made) * 1e6:>8.0f} µs{seconds / total:>8.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
