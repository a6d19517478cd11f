"""Measures the pipeline on this machine: ``python -m tests.bench``."""
