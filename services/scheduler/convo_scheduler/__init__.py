"""The scheduler: owns the life of a run and of each thread, and asks for the next step."""
