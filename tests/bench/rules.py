"""The filters without their I/O, on one core: ``python -m tests.bench.rules`` prints conversations a second.

Two figures a language: layer 1 alone, and the whole look: layer 1, words, shingles, signature, copies of examples.
With ``--shares`` each rule's share follows. What a conversation costs here does not depend on the size of its run:
nothing of this knows how many there are. Only the look into the index does.

Conversations have 20 turns of about 240 characters each, 40 words in English, put together from the innocent texts of
the labelled set, so that quick looks find what real text has: quotations, code, digits, other scripts. Where characters
are words 240 of them say about three times as much, so such languages are measured at 80 as well. ``mixed`` has
conversations of all languages in turn. Every figure is CPU time of the thread, for each conversation the best of many
rounds; other work on the machine still shows, so compare figures of one run.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence

from convo_events.conversations import Conversation, Turn
from convo_events.masking import Mask
from convo_events.snapshot import Snapshot
from convo_events.spoken import Spoken
from convo_filters.diversity import example_copy
from convo_filters.layers import RuleSet
from convo_filters.neighbours import Subject
from convo_filters.rules_context import Context, Reading
from tests.filters.gold_set import rows
from tests.filters.talk import snapshot

TURNS, CHARACTERS, FEWER = 20, 240, 80
UNSPACED = ("zh", "ja", "th")
LANGUAGES = ("en", "de", "ru", "ar", "hi", *UNSPACED)
MIXED = "mixed"


def conversations(
    language: str, count: int, seed: int = 1, characters: int = CHARACTERS
) -> list[Conversation]:
    """Conversations from innocent texts of a language, the same ones for the same seed."""
    if language == MIXED:
        return [conversations(one, 1, seed + at, characters)[0] for at, one in _in_turn(count)]
    rng = random.Random(seed)
    innocent = [row for row in rows() if not row.expect and row.lang.split("-")[0] == language]
    users = [text for row in innocent for text in row.turns[::2]]
    assistants = [text for row in innocent for text in row.turns[1::2]]
    made = []
    for _ in range(count):
        texts = [_text(assistants if at % 2 else users, rng, characters) for at in range(TURNS)]
        turns = tuple(
            Turn(role="assistant" if at % 2 else "user", text=text) for at, text in enumerate(texts)
        )
        made.append(Conversation(turns=turns, planned_turns=TURNS, language=language))
    return made


def _in_turn(count: int) -> list[tuple[int, str]]:
    return [(at, LANGUAGES[at % len(LANGUAGES)]) for at in range(count)]


def _text(pieces: list[str], rng: random.Random, characters: int) -> str:
    chosen: list[str] = []
    while sum(len(piece) for piece in chosen) < characters:
        chosen.append(rng.choice(pieces))
    return " ".join(chosen)[:characters]


def look(conversation: Conversation, frozen: Snapshot, rules: RuleSet, mask: Mask) -> None:
    """All that a filter works out of a conversation before and after it asks the index."""
    bodies = [turn.text for turn in conversation.turns]
    spoken = Spoken()
    rules.check(conversation, None, spoken)
    Subject.of("run", frozen.config, spoken.shingles(bodies), mask)
    example_copy(bodies, frozen.prompt_set, 0.5, spoken)
    sum(len(spoken.words(body)) for body in bodies)


def cost(work: Sequence[Callable[[], object]], rounds: int) -> float:
    """Mean CPU seconds of pieces of work, each the best of many rounds."""
    best = [float("inf")] * len(work)
    for _ in range(rounds):
        for at, one in enumerate(work):
            started = time.thread_time()
            one()
            best[at] = min(best[at], time.thread_time() - started)
    return sum(best) / len(best)


def shares(made: list[Conversation], rules: RuleSet, rounds: int) -> dict[str, float]:
    """CPU seconds of reading and of each rule; what turns work out once is counted where it is first asked for."""
    best: dict[str, list[float]] = {}
    for _ in range(rounds):
        for at, one in enumerate(made):
            started = time.thread_time()
            reading = Reading.of(one)
            times = {"(reading)": time.thread_time() - started}
            for ready in rules.ready:
                context = Context(ready.parameters, ready.prepared, reading)
                started = time.thread_time()
                ready.rule.check(one, context)
                times[ready.rule.reason] = time.thread_time() - started
            for name, seconds in times.items():
                known = best.setdefault(name, [float("inf")] * len(made))
                known[at] = min(known[at], seconds)
    return {name: sum(each) / len(each) for name, each in best.items()}


def main() -> int:
    """Measure and print; exit code 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rules", description=__doc__)
    parser.add_argument("--count", type=int, default=8, help="conversations of each language")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--language", action="append", choices=(*LANGUAGES, MIXED))
    parser.add_argument("--shares", action="store_true", help="print each rule's share as well")
    arguments = parser.parse_args()
    frozen = snapshot()
    rules, mask = RuleSet.of(frozen), Mask.of(frozen)
    for language in arguments.language or (*LANGUAGES, MIXED):
        for characters in (CHARACTERS, FEWER) if language in UNSPACED else (CHARACTERS,):
            made = conversations(language, arguments.count, characters=characters)
            layer = [lambda one=one: rules.check(one) for one in made]
            whole = [lambda one=one: look(one, frozen, rules, mask) for one in made]
            print(
                f"{language}, turns of {characters} characters:"
                f" layer 1 {1 / cost(layer, arguments.rounds):.0f} conversations a second,"
                f" whole look {1 / cost(whole, arguments.rounds):.0f}"
            )
            if arguments.shares:
                parts = shares(made, rules, arguments.rounds)
                for name, seconds in sorted(parts.items(), key=lambda part: -part[1]):
                    share = seconds / sum(parts.values())
                    print(f"  {name:22}{seconds * 1e6:>8.0f} µs{share:>8.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
