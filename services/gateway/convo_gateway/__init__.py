"""convo_gateway."""
