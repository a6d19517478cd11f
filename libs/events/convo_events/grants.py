"""How "nothing new is sent after pause" is kept hard without asking every worker.

A claim allows a request to start for ``GRANT_S`` after it was made; past that the worker gives it back. A pause first
writes the run's row, so that no new claim passes, and is answered only ``SETTLE_S`` later, when every claim made before
has either started or expired.
"""

GRANT_S = 0.4
"""Longest time from a claim to the first byte of its request, in seconds of the worker's own monotonic clock."""

SETTLE_S = 0.6
"""Wait between writing the pause and answering it, in seconds: ``GRANT_S`` and a margin for the way to the backend."""
