"""The command line: one noun a file."""
