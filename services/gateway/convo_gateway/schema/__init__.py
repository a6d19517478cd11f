"""The committed description of the API."""
