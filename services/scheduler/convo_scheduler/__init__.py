"""convo_scheduler."""
