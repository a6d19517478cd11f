"""The most that a sample can cost: its spend cap. Pure."""

from math import ceil

from convo_events.facts import Micro
from convo_events.prices import worst_case_micro
from convo_events.snapshot import Snapshot
from convo_events.usage import CallRole
from convo_gateway.expected_calls import Workload

BYTES_A_TOKEN = 8
"""Twice the rule of thumb for English, for the JSON around a prompt and for other scripts."""


def most_micro(snapshot: Snapshot) -> Micro | None:
    """Micro-dollars where every answer is as long as it may be and every retry is needed; None without prices.

    Each call counts with what the ledger reserves for it, so the cap stops no call that the config allows.
    """
    workload, most = Workload(snapshot), 0
    for role, seat, chosen in snapshot.callers():
        model = snapshot.backend(chosen.backend).model_named(chosen.model)
        if model is None or model.prices is None:
            return None
        attempts = 1 + _retries(snapshot, role)
        for group in workload.groups(role, "high", seat=seat):
            prompt = ceil(group.input_tokens * BYTES_A_TOKEN)
            worst = worst_case_micro(model.prices, prompt, chosen.max_tokens) or 0
            most += ceil(group.calls) * attempts * worst
    return most


def _retries(snapshot: Snapshot, role: CallRole) -> int:
    """New tries of one piece of work: those of the run, or those of an answer that cannot be read if these are more."""
    judging = snapshot.config.judge
    more = judging.retries if role == "judge" and judging else 0
    return max(snapshot.config.retries, more)
