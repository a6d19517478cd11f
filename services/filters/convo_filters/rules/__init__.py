"""Mechanical rules, one a file; found by ``rules_catalog``."""
