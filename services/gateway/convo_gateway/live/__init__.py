"""What changes, pushed over a websocket."""
