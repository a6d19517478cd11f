"""What live pages are told."""

State = dict[str, object]
"""What a topic shows, as JSON; a patch of it has what changed alone."""
