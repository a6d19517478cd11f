"""Routes of the API, one resource a file."""
