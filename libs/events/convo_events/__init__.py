"""convo_events."""
