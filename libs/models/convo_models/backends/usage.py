"""A provider's token counts as ``Usage``, checked, and convo's own count where they cannot be billed from.

Input holds the cached tokens and output the reasoning tokens, as OpenAI and most who copy it report them.
"""

from collections.abc import Mapping
from math import isfinite
from typing import TypeAlias

from convo_events.usage import Usage
from convo_models.backends.protocol import Json

CHARACTERS_PER_TOKEN = 4
"""Rule of thumb for English text. Source: OpenAI's help page on tokens."""
MOST_TOKENS = 100_000_000
"""No single call uses more: a larger count is a fault, not a bill."""
DEAREST_CALL_USD = 1_000_000.0
_Names: TypeAlias = tuple[tuple[str, str], ...]
"""Where a count may stand: object (empty: the usage itself) and field, the most usual first."""
_READ: _Names = (
    ("prompt_tokens_details", "cached_tokens"),
    ("", "prompt_cache_hit_tokens"),
    ("", "cache_read_input_tokens"),
)
_WRITTEN: _Names = (
    ("prompt_tokens_details", "cache_creation_tokens"),
    ("prompt_tokens_details", "cache_write_tokens"),
    ("", "cache_creation_input_tokens"),
)
_REASONING: _Names = (
    ("completion_tokens_details", "reasoning_tokens"),
    ("", "reasoning_tokens"),
)


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
    read, written, reasoning = (_part(found, *names) for names in (_READ, _WRITTEN, _REASONING))
    cache = (read or 0) + (written or 0)
    total = _count(found.get("total_tokens"))
    prompt, output = given_input, given_output
    # Some leave the cache out of the prompt, or reasoning out of the completion, and only the total tells.
    if cache and total == prompt + cache + output:
        prompt += cache
    if reasoning and total == prompt + output + reasoning:
        output += reasoning
    unclear = None in (read, written, reasoning) or cache > prompt or (reasoning or 0) > output
    cached = min(read or 0, prompt)
    return Usage(
        input_tokens=prompt,
        cached_tokens=cached,
        cache_write_tokens=min(written or 0, prompt - cached),
        output_tokens=output,
        reasoning_tokens=min(reasoning or 0, output),
        estimated=unclear,
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
    """Micro-dollars that the provider says it charged; None where it does not.

    Source: ``usage.cost`` in US dollars as OpenRouter reports it, ``usage.cost.total_cost`` as Perplexity does.
    """
    cost = counts.get("cost") if isinstance(counts, dict) else None
    cost = cost.get("total_cost") if isinstance(cost, dict) else cost
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    return round(cost * 1_000_000) if isfinite(cost) and 0 <= cost <= DEAREST_CALL_USD else None


def _part(counts: Mapping[str, Json], *names: tuple[str, str]) -> int | None:
    """A part count under the first name that is there; 0 where none is, None where it is no count."""
    for details, name in names:
        inner = counts.get(details) if details else counts
        value = inner.get(name) if isinstance(inner, Mapping) else None
        if value is not None:
            return _count(value)
    return 0


def _count(value: Json) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = isinstance(value, int) or value.is_integer()
    return int(value) if whole and 0 <= value <= MOST_TOKENS else None
