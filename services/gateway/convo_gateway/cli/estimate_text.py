"""An estimate in words: total and range, split, what to expect, and what it rests on."""

from convo_gateway.cli.render import number, print_fields, print_text, say, usd
from convo_gateway.shapes.estimate import Estimate, Range
from convo_gateway.shapes.start import EstimateAnswer

__all__ = ["print_estimate", "range_text"]


def print_estimate(answer: EstimateAnswer, *, waits: bool = False) -> None:
    """The estimate on standard output, warnings on standard error; with ``waits`` off-peak is asked for already."""
    guess = answer.estimate
    print_text(f"Estimate for {answer.config} version {answer.config_version}")
    print_fields(
        [
            ("Total", range_text(guess.total)),
            *_split(guess),
            ("Conversations", f"{number(guess.conversations)} to {_what_to_do(guess)}"),
            ("Accepted", f"about {number(guess.accepted)} of {number(guess.conversations)}"),
            *_outcome(guess),
            ("Per accepted", usd(guess.per_accepted_micro)),
            *_calls(guess),
            ("Basis", _basis(guess)),
            *_off_peak(answer, waits),
        ]
    )
    if guess.unpriced:
        say(f"No price is known for {', '.join(guess.unpriced)}, so the total is unknown.")
    for warning in answer.warnings:
        say(f"Warning: {warning}")


def _split(guess: Estimate) -> list[tuple[str, str]]:
    """Parts of the total; none where all of it is for nothing."""
    if guess.total is not None and guess.total.high == 0:
        return []
    parts = (
        ("  Generation", guess.generation),
        ("  Judge", guess.judge),
        ("  Memory", guess.memory),
        ("  Roughen", guess.roughen),
    )
    return [(label, usd(part.expected if part else None)) for label, part in parts]


def range_text(total: Range | None) -> str:
    """What is expected, and the range around it."""
    if total is None:
        return usd(None)
    if total.low == total.high:
        return usd(total.expected)
    return f"{usd(total.expected)} ({usd(total.low)} to {usd(total.high)})"


def _outcome(guess: Estimate) -> list[tuple[str, str]]:
    """What becomes of the others, layer by layer, where runs tell."""
    outcome = guess.outcome
    if outcome is None:
        return []
    lost = (
        ("rules", outcome.mechanical),
        ("diversity", outcome.diversity),
        ("judge", outcome.judge),
        ("failures", outcome.failed),
    )
    said = ", ".join(f"{_about(count)} by {name}" for name, count in lost if count)
    return [("Lost", said or "none")]


def _about(count: float) -> str:
    """A count that is expected: what is less than half of one is not none."""
    return number(count) if count >= 0.5 else "under 1"


def _calls(guess: Estimate) -> list[tuple[str, str]]:
    """Calls of each role for a conversation, and how large they are."""
    several = [role.role for role in guess.roles]
    lines = (
        f"{role.role}{f' {role.backend}/{role.model}' if several.count(role.role) > 1 else ''}: "
        f"{role.calls_per_conversation:g} a conversation, "
        f"{number(role.input_per_call)} tokens in, {number(role.output_per_call)} out"
        for role in guess.roles
    )
    return [("Calls", "\n".join(lines))] if several else []


def _what_to_do(guess: Estimate) -> str:
    """A run makes its conversations, unless it calls nobody who writes."""
    writes = any(role.role in ("user", "assistant", "script") for role in guess.roles)
    return "make" if writes else "take"


def _basis(guess: Estimate) -> str:
    basis = guess.basis
    ranged = [] if guess.total is None or guess.total.high == 0 else [f"range: {basis.range}"]
    return "\n".join((basis.said, *ranged, *basis.assumptions))


def _off_peak(answer: EstimateAnswer, waits: bool) -> list[tuple[str, str]]:
    window = answer.off_peak
    if window is None:
        return []
    when = "now" if window.open_now else f"{window.at:%Y-%m-%d %H:%M %Z}"
    said = f"{when} ({window.model}, from {window.clock} {window.zone}): {usd(window.total_micro)}"
    if window.until is not None:
        later = usd(window.later_micro)
        said += f"\nuntil {window.until:%Y-%m-%d %H:%M %Z}; calls sent after it cost more, all of it {later}"
    return [("Off-peak", said if waits else f"{said}\nwait for it with --off-peak")]
