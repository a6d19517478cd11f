"""The generator: makes the calls that write conversations."""
