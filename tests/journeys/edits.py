"""Catalog objects of every kind with every field filled in, and the same objects with every field changed."""

from collections.abc import Iterator
from typing import Any

Body = dict[str, Any]
BEFORE, AFTER = "ORIGINAL", "EDITED"
"""Words that stand in every text of the objects, before and after."""


def objects(name: str, *, edited: bool) -> dict[str, Body]:
    """An object of each kind, all of one name, in the order in which they are written."""
    return {
        "personas": _persona(name, edited),
        "voices": {"name": name, "style": _word(edited, "style")},
        "pools": {"name": name, "values": [f"{_word(edited, 'value')} {n}" for n in range(40)]},
        "filter-lists": _filter_list(name, edited),
        "prompt-sets": _prompt_set(name, edited),
        "backends": _backend(name, edited),
    }


def _word(edited: bool, text: str) -> str:
    return f"{AFTER if edited else BEFORE} {text}"


def _persona(name: str, edited: bool) -> Body:
    return {
        "name": name,
        "summary": _word(edited, "summary"),
        "traits": [_word(edited, "trait")],
        "language": "de" if edited else "en",
    }


def _filter_list(name: str, edited: bool) -> Body:
    return {
        "name": name,
        "description": _word(edited, "list"),
        "phrases": ["the" if edited else "never said by anybody"],
        "patterns": [".*" if edited else "never[0-9]{20}"],
        "speaker": "any" if edited else "assistant",
    }


def _prompt_set(name: str, edited: bool) -> Body:
    variable = name.replace("-", "_")
    drawn = f"{{{{ persona.summary }}}} {{{{ voice.style }}}} {{{{ {variable} }}}}"
    segments = ("user", "assistant", "opening", "judge", "memory", "roughen")
    return {
        "name": name,
        "description": _word(edited, "prompts"),
        "modes": ["scripted"] if edited else ["sessions", "dialogue"],
        "segments": {
            segment: f"{_word(edited, segment)} {drawn}"
            for segment in (*segments, *(("script",) if edited else ()))
        },
        "examples": [
            {
                "name": "edited" if edited else "original",
                "turns": [_word(edited, "asked"), _word(edited, "told")],
            }
        ],
    }


def _rates(times: int) -> Body:
    rates = {"input": 2, "output": 8, "cached_input": 1, "cache_write": 3, "per_request": 1}
    return {field: str(rate * times) for field, rate in rates.items()}


def _prices(times: int, edited: bool, *, always_off_peak: bool) -> Body:
    bands = [{"above_input_tokens": 30 * times, "rates": _rates(2 * times)}]
    window = {
        "start": "01:00" if edited else "00:00",
        "end": "01:00" if edited else "00:00",
        # With no day to start on, a window never opens.
        "weekdays": [0, 1, 2, 3, 4, 5, 6] if always_off_peak else [],
        "zone": "Europe/Berlin" if edited else "UTC",
        "rates": _rates(3 * times),
        "bands": [{"above_input_tokens": 40 * times, "rates": _rates(5 * times)}],
    }
    return {
        "rates": _rates(times),
        "bands": bands,
        "off_peak": [window],
        "source": _word(edited, "prices"),
    }


def _backend(name: str, edited: bool) -> Body:
    times = 7 if edited else 1
    prefix = "edited-" if edited else ""
    models = [
        {
            "name": f"{prefix}{model}",
            "prices": _prices(times, edited, always_off_peak=(model == "judge") is not edited),
            "max_concurrency": 2 if edited else 3,
            "context_tokens": 9_000 if edited else 90_000,
        }
        for model in ("writer", "judge")
    ]
    return {
        "name": name,
        "base_url": "http://127.0.0.1:9/edited" if edited else "${FAKE_URL}",
        "key_env": "EDITED_KEY" if edited else "FAKE_KEY",
        "models": models,
        "timeout_s": 1 if edited else 30,
        "stream": edited,
        "structured": "none" if edited else "json_schema",
        "token_limit_field": "max_completion_tokens" if edited else "max_tokens",
    }


def config(name: str, named: str, *, edited: bool) -> Body:
    """A run config over objects of one name."""
    used = ("assistant", "judge") if edited else ("assistant", "user", "judge", "memory", "roughen")
    return {
        "name": name,
        "description": _word(edited, "config"),
        "mode": "scripted" if edited else "sessions",
        "target_count": 5 if edited else 12,
        "seed": 5 if edited else 4,
        "threads": 1 if edited else 3,
        "language": "de" if edited else "en",
        "prompt_set": named,
        "personas": [{"name": named, "weight": 3 if edited else 2}],
        "voices": [{"name": named, "weight": 3 if edited else 2}],
        "pools": [named],
        "filter_lists": [named],
        "length_mix": [{"turns": [4, 6] if edited else [2, 3], "share": 3 if edited else 2}],
        "roles": {role: _role(role, named, edited) for role in used},
        "rules": {
            "stage_direction": {"enabled": edited, "parameters": {"x": 1} if edited else {}},
        },
        "diversity": {
            "near_duplicate": 0.5 if edited else 0.9,
            "example_copy": 0.4 if edited else 0.8,
            "distinct3_floor": 0.9 if edited else 0.01,
            "below_floor": "stop" if edited else "pause",
        },
        "judge": _judging(edited),
        "memory": None if edited else {"max_characters": 500},
        "roughen": None if edited else {"share": 0.5, "strength": "light"},
        "retries": 0 if edited else 3,
        "spend_cap_usd": 0.000001 if edited else 1_000.0,
        "confirm_above_usd": 0.5 if edited else 900.0,
    }


def _role(role: str, backend: str, edited: bool) -> Body:
    prefix = "edited-" if edited else ""
    return {
        "backend": backend,
        "model": f"{prefix}{'judge' if role == 'judge' else 'writer'}",
        "temperature": 1.9 if edited else 0.7,
        "top_p": 0.1 if edited else 0.9,
        "max_tokens": 7 if edited else 200,
        "send_seed": edited,
        "accept_finish": ["length"] if edited else ["stop"],
    }


def _judging(edited: bool) -> Body:
    name = "edited" if edited else "natural"
    return {
        "criteria": [
            {"name": name, "question": _word(edited, "question"), "weight": 3 if edited else 2}
        ],
        "scale": [0, 100] if edited else [1, 5],
        "threshold": 99 if edited else 2.5,
        "retries": 0 if edited else 1,
    }


def leaves(value: object, pointer: str = "") -> Iterator[tuple[str, object]]:
    """Everything in a body that is no list or mapping with something in it, by its JSON pointer."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, f"{pointer}/{key}")
    elif isinstance(value, list) and value:
        for at, inner in enumerate(value):
            yield from leaves(inner, f"{pointer}/{at}")
    else:
        yield pointer, value


def unchanged(before: Body, after: Body) -> list[str]:
    """Pointers of what an edit left as it was, beside the name that it is found by."""
    now = dict(leaves(after))
    missing = object()
    return [
        pointer
        for pointer, value in leaves(before)
        if pointer != "/name" and now.get(pointer, missing) == value
    ]
