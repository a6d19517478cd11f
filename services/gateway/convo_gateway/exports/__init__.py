"""A run as JSONL with its manifest."""
