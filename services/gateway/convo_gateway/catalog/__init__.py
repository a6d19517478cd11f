"""Catalog objects: read from YAML, kept in versions, frozen for a run."""
