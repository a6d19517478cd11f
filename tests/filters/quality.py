"""How good the rules are on the labelled conversations: ``python -m tests.filters.quality``.

For each rule: hits that are right, expected ones that were missed (or found by other words), false hits on anything in
the set, precision and recall. ``--faults`` lists what went wrong; the held-out third stays closed unless ``--held-out``
opens it.
"""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from convo_filters.rules_catalog import rules
from tests.filters.gold_set import Verdict, verdicts


@dataclass(slots=True)
class Tally:
    """Counts of one rule."""

    right: int = 0
    missed: int = 0
    false: int = 0

    @property
    def precision(self) -> float:
        """Share of hits that are right; 1 without hits."""
        return self.right / (self.right + self.false) if self.right + self.false else 1.0

    @property
    def recall(self) -> float:
        """Share of expected ones that were found; 1 where none are expected."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def tally(judged: Iterable[Verdict]) -> dict[str, Tally]:
    """Counts by rule, in precedence order."""
    counted = {rule.reason: Tally() for rule in rules()}
    for verdict in judged:
        for reason in verdict.row.expect:
            right = verdict.right(reason)
            counted[reason].right += right
            counted[reason].missed += not right
        for reason in verdict.false():
            counted[reason].false += 1
    return counted


def table(judged: Iterable[Verdict]) -> str:
    """The counts as text, with a total."""
    counted = tally(judged)
    total = Tally(
        sum(one.right for one in counted.values()),
        sum(one.missed for one in counted.values()),
        sum(one.false for one in counted.values()),
    )
    head = f"{'rule':22}{'hits':>6}{'missed':>8}{'false':>7}{'precision':>11}{'recall':>8}"
    return "\n".join([head, *(_line(*item) for item in counted.items()), _line("total", total)])


def _line(name: str, one: Tally) -> str:
    counts = f"{one.right:>6}{one.missed:>8}{one.false:>7}"
    return f"{name:22}{counts}{one.precision:>11.3f}{one.recall:>8.3f}"


def faults(judged: Iterable[Verdict]) -> list[str]:
    """What went wrong, a line each."""
    lines = []
    for verdict in judged:
        lines += [
            f"{verdict.row.id}: {reason} missed {verdict.row.expect[reason]!r}"
            + (f", found {verdict.hits[reason].excerpt!r}" if reason in verdict.hits else "")
            for reason in verdict.missed()
        ]
        lines += [
            f"{verdict.row.id}: {reason} is false: {verdict.hits[reason].excerpt!r}"
            for reason in verdict.false()
        ]
    return lines


def main() -> int:
    """Print the tables; exit code 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.filters.quality")
    parser.add_argument("--faults", action="store_true", help="list what went wrong")
    parser.add_argument("--held-out", action="store_true", help="open the held-out third")
    arguments = parser.parse_args()
    every = verdicts()
    seen = [one for one in every if arguments.held_out or not one.row.held_out]
    innocent = sum(not one.row.expect for one in every)
    languages = len({one.row.lang.split("-")[0] for one in every})
    print(f"{len(every)} conversations, {innocent} innocent, {languages} languages\n")
    print(table(every))
    held_out = [one for one in every if one.row.held_out]
    print(f"\nheld out: {len(held_out)} conversations\n")
    print(table(held_out))
    if arguments.faults:
        print("", *faults(seen), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
