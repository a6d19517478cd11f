"""Numbered SQL files, forward only; each table names its one writer."""
