"""What the API answers, as models."""
