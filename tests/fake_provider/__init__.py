"""A programmable OpenAI-compatible provider in its own process; its log judges what was called."""
