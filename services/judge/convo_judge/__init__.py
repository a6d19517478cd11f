"""convo_judge."""
