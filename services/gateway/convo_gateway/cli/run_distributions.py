"""What the accepted conversations of a run have in common, in words: the last 100 beside all of them."""

from convo_gateway.cli.render import DASH, number, percent, print_fields, print_table, print_text
from convo_gateway.shapes.counts import Counted
from convo_gateway.shapes.distributions import Distributions, Grams, Opening

__all__ = ["print_distributions"]


def print_distributions(last: Distributions, every: Distributions) -> None:
    """Two columns of numbers, then how first turns begin."""
    print_text("\nDiversity")
    if last.conversations.value == 0:
        print_text("No accepted conversation yet.")
        return
    rows = [["Conversations", _population(last.conversations), _population(every.conversations)]]
    counted = {one.n: one for one in every.grams}
    for one in last.grams:
        rows.append([f"Distinct-{one.n}", _grams(one), _grams(counted.get(one.n))])
    for role, said in _means(last).items():
        rows.append([f"Words a turn, {role}", said, _means(every).get(role, DASH)])
    rows.append(["Mean similarity", _likeness(last), _likeness(every)])
    print_table(("", "Last 100", "All"), rows)
    nearest = last.similarity
    if nearest.highest is not None:
        print_fields(
            [("Nearest two", f"{nearest.highest:.3f}: {' and '.join(nearest.between)} (last 100)")]
        )
    print_fields([(f"Begins, {role}", said) for role, said in _openings(every).items()])


def _population(counted: Counted) -> str:
    return f"{number(counted.value)} of {number(counted.of)} accepted"


def _grams(one: Grams | None) -> str:
    if one is None or one.distinct is None:
        return DASH
    about = "about " if one.estimated else ""
    return f"{about}{one.distinct:.3f} ({about}{number(one.different)} of {number(one.total)})"


def _means(found: Distributions) -> dict[str, str]:
    return {
        one.role: DASH if one.mean is None else f"{one.mean:.1f}, longest {number(one.longest)}"
        for one in found.lengths
    }


def _likeness(found: Distributions) -> str:
    one = found.similarity
    return DASH if one.mean is None else f"{one.mean:.3f} over {number(one.pairs)} pairs"


def _openings(found: Distributions) -> dict[str, str]:
    """Role to its three most frequent openings; roles that no two conversations begin alike are left out."""
    said: dict[str, str] = {}
    for one in found.openings:
        frequent = [phrase for phrase in one.phrases if phrase.at_least > 1][:3]
        if frequent:
            said[one.role] = "; ".join(_opening(phrase, one.conversations) for phrase in frequent)
    return said


def _opening(one: Opening, whole: int) -> str:
    exact = one.at_least == one.at_most
    counted = number(one.at_most) if exact else f"{number(one.at_least)} to {number(one.at_most)}"
    return f"“{one.phrase}” {counted} of {number(whole)} ({percent(one.at_most, whole)})"
