"""Verdicts of a run decided again with other settings, without a call."""
