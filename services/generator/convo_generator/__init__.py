"""convo_generator."""
