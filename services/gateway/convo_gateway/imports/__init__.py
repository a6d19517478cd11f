"""Conversations that were made elsewhere, read row by row: each is taken, or refused with its reason."""
