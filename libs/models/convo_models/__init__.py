"""convo_models."""
