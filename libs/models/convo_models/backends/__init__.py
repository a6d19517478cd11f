"""Model APIs: one protocol a file, all behind ``protocol.ModelBackend``."""
