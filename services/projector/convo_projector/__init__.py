"""convo_projector."""
