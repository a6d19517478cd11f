"""SQL of the read side, one question a function."""
