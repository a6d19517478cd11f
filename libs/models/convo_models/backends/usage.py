"""A provider's token counts as ``Usage``, checked, and convo's own count where they cannot be billed from.

Input holds the cached tokens and output the reasoning tokens, as OpenAI and most who copy it report them.
"""

from collections.abc import Mapping
from math import isfinite

from convo_events.usage import Usage
from convo_models.backends.protocol import Json

CHARACTERS_PER_TOKEN = 4
"""Rule of thumb for English text. Source: OpenAI's help page on tokens."""
MOST_TOKENS = 100_000_000
"""No single call uses more: a larger count is a fault, not a bill."""
DEAREST_CALL_USD = 1_000_000.0


def normalised(counts: Json, prompt_characters: int, answer_characters: int) -> Usage:
    """Tokens of a call; ``estimated`` where anything had to be counted or corrected here.

    Args:
        counts: the answer's ``usage``, whatever it is.
        prompt_characters: length of all messages, to estimate from.
        answer_characters: length of the answer, likewise.
    """
    found = counts if isinstance(counts, dict) else {}
    given_input = _count(found.get("prompt_tokens"))
    given_output = _count(found.get("completion_tokens"))
    if not given_input or given_output is None or (not given_output and answer_characters):
        return Usage(
            input_tokens=given_input or estimate(prompt_characters),
            output_tokens=given_output or estimate(answer_characters),
            estimated=True,
        )
    cached = _part(found, "prompt_tokens_details", "cached_tokens", "prompt_cache_hit_tokens")
    reasoning = _part(found, "completion_tokens_details", "reasoning_tokens", "reasoning_tokens")
    output = given_output
    if reasoning and _count(found.get("total_tokens")) == given_input + output + reasoning:
        output += reasoning  # some leave reasoning out of the completion, and only the total tells
    return Usage(
        input_tokens=given_input,
        cached_tokens=min(cached or 0, given_input),
        output_tokens=output,
        reasoning_tokens=min(reasoning or 0, output),
        estimated=cached is None or reasoning is None or cached > given_input or reasoning > output,
    )


def reported(counts: Json) -> Usage | None:
    """Tokens of a call that brought no answer; None where the provider did not count."""
    if not isinstance(counts, dict) or not _count(counts.get("prompt_tokens")):
        return None
    return normalised(counts, 0, 0)


def estimate(characters: int) -> int:
    """Tokens in that many characters, at least 1: unknown is never free."""
    return max(1, -(-characters // CHARACTERS_PER_TOKEN))


def cost_micro(counts: Json) -> int | None:
    """Micro-dollars that the provider says it charged (``usage.cost`` in US dollars); None where it does not."""
    cost = counts.get("cost") if isinstance(counts, dict) else None
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    return round(cost * 1_000_000) if isfinite(cost) and 0 <= cost <= DEAREST_CALL_USD else None


def _part(counts: Mapping[str, Json], details: str, name: str, flat: str) -> int | None:
    """A part count from its details, or from a flat field; 0 where there is none, None where it is no count."""
    inner = counts.get(details)
    value = inner.get(name) if isinstance(inner, dict) else None
    value = counts.get(flat) if value is None else value
    return 0 if value is None else _count(value)


def _count(value: Json) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = isinstance(value, int) or value.is_integer()
    return int(value) if whole and 0 <= value <= MOST_TOKENS else None
