"""Facts, and the log and store they live in: what every room of convo may import."""
