"""What is wrong with a run config, one concern a file."""
