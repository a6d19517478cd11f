"""convo_filters."""
