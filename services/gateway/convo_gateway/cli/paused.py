"""What a person is told of a run that is paused: why, and how it goes on."""

__all__ = ["how_to_go_on"]

_MEND = {
    "backend_auth": "Start convo with a key that the backend takes",
    "backend_quota": "Add credit at the provider, or wait until its limit is new",
    "backend_model": "Make the model known to the backend; a run keeps the names that it started with",
    "judge_sick": "See what its judge answers: convo run show {run}",
    "diversity_floor": "Look at what repeats: convo run show {run}",
    "spend_cap": "Raise it: convo run cap {run} USD",
}
"""Reason to what mends it."""


def how_to_go_on(run: str, reason: str) -> str:
    """What to do, as a sentence with the command.

    Args:
        run: id of the run.
        reason: why it is paused; empty or ``requested`` where a person paused it.
    """
    command = f"convo run resume {run}"
    mend = _MEND.get(reason)
    if mend:
        return f"{mend.format(run=run)}. Then: {command}"
    return f"It goes on with: {command}"
